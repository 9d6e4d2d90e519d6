//! Locks and transactions around a line.

use model::source::Language::{self, C, Cpp, Go, Java, Python, Rust};

use crate::asking::ask;

#[test]
fn a_line_under_a_lock_says_so() {
    for (language, marked, line) in [
        (Python, "import threading\nlock = threading.Lock()\ndef f():\n    with lock:\n        use() @\n", 4),
        (
            Python,
            "import threading\nclass A:\n    def __init__(self):\n        self.door = threading.RLock()\n    def f(self):\n        with self.door:\n            use() @\n",
            6,
        ),
        (Java, "class A { void f() {\n synchronized (this) {\n use(); @\n } } }", 2),
        (Java, "class A {\n synchronized void f() {\n use(); @\n } }", 2),
        (
            Java,
            "class A { ReentrantLock door = new ReentrantLock(); void f() {\n door.lock();\n try {\n use(); @\n } finally { door.unlock(); } } }",
            2,
        ),
        (Go, "package a\nfunc (a *A) f() {\n\ta.mu.Lock()\n\tdefer a.mu.Unlock()\n\tuse() @\n}", 3),
        (C, "void f() {\n  pthread_mutex_lock(&m);\n  use(); @\n  pthread_mutex_unlock(&m);\n}", 2),
        (Cpp, "void f() {\n  std::lock_guard<std::mutex> guard(m);\n  use(); @\n}", 2),
        (Rust, "fn f(m: &Mutex<u8>) {\n    let mut guard = m.lock().unwrap();\n    use_it(); @\n}", 2),
    ] {
        let held = ask(language, marked).in_lock.unwrap_or_else(|| panic!("{marked}"));
        assert_eq!(held.line, line, "{marked}");
    }
}

fn free(language: Language, marked: &str) {
    let context = ask(language, marked);
    assert_eq!(context.in_lock, None, "{marked}");
}

#[test]
fn a_line_beside_a_lock_is_free() {
    free(
        Python,
        "import threading\nlock = threading.Lock()\ndef f():\n    with lock:\n        use()\n    more() @\n",
    );
    free(Python, "def f(lock):\n    with lock.reader():\n        use() @\n");
    free(Python, "with open('lock') as lock:\n    use() @\n");
    free(Go, "package a\nfunc (a *A) f() {\n\ta.mu.Lock()\n\tuse()\n\ta.mu.Unlock()\n\tmore() @\n}");
    free(C, "void f() {\n  pthread_mutex_lock(&m);\n  use();\n  pthread_mutex_unlock(&m);\n  more(); @\n}");
    free(Rust, "fn f(m: &Mutex<u8>) {\n    { let guard = m.lock().unwrap(); }\n    use_it(); @\n}");
    free(
        Rust,
        "fn f(m: &Mutex<u8>) {\n    let guard = m.lock().unwrap();\n    drop(guard);\n    use_it(); @\n}",
    );
    free(Rust, "fn f(m: &Mutex<Vec<u8>>) {\n    let n = m.lock().unwrap().len();\n    use_it(n); @\n}");
}

#[test]
fn giving_back_on_the_way_out_does_not_end_a_lock() {
    let context = ask(
        C,
        "void f() {\n  pthread_mutex_lock(&m);\n  if (bad) { pthread_mutex_unlock(&m); return; }\n  use(); @\n  pthread_mutex_unlock(&m);\n}",
    );
    assert!(context.in_lock.is_some());
}

#[test]
fn a_line_in_a_transaction_says_so() {
    let with = ask(
        Python,
        "import sqlite3\ndb = sqlite3.connect('x')\nwith db:\n    for x in xs:\n        db.execute('insert into a values (?)', (x,)) @\n",
    );
    assert_eq!(with.in_transaction.unwrap().line, 3);
    let java = ask(
        Java,
        "class A { void f(Connection c) {\n c.setAutoCommit(false);\n use(c); @\n c.commit();\n } }",
    );
    assert_eq!(java.in_transaction.unwrap().line, 2);
    let bare = ask(
        Python,
        "import sqlite3\ndb = sqlite3.connect('x')\nfor x in xs:\n    db.execute('insert into a values (?)', (x,)) @\n    db.commit()\n",
    );
    assert_eq!(bare.in_transaction, None);
}
