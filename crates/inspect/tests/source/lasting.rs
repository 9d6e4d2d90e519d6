//! Loops that wait and look again, told from those that do something at each turn.

use model::source::Language;

use crate::asking::ask;

const HEAD: &str = "const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
class Box {
  rest(ms) { return new Promise((resolve) => setTimeout(resolve, ms)); }
  async step() { await pause(4); this.left -= 1; }
";

/// Whether the innermost loop around the mark goes on until somebody else ends it.
fn looks(body: &str) -> bool {
    let context = ask(Language::JavaScript, &format!("{HEAD}  async run(x, queue) {{\n{body}\n  }}\n}}\n"));
    context.loops.last().expect("a loop").looks
}

#[test]
fn a_loop_whose_condition_nobody_in_it_changes_looks_again() {
    for body in [
        "while (!this.done.has(x)) await pause(4);@",
        "while (!this.ready) {\n  await this.rest(4);@\n}",
        "while (!isReady(x)) { console.log('not yet'); await pause(4);@ }",
        "for (;;) { if (this.done) return this.result; await pause(4);@ }",
        "while (true) { if (x.state === 'done') break; await pause(4);@ }",
        "do { await pause(4);@ } while (!x.ready);",
        "let turns = 0; while (!this.done) { turns += 1; await pause(4);@ }",
    ] {
        assert!(looks(body), "{body}");
    }
}

#[test]
fn a_loop_that_changes_what_it_asks_for_works() {
    for body in [
        "while (queue.length > 0) { this.send(queue.shift()); await pause(4);@ }",
        "while (this.queue.length > 0) { const one = this.queue.shift(); await pause(4);@ }",
        "while (this.left > 0) await this.step();@",
        "while (x) { x = await this.page(x); await pause(4);@ }",
        "while (!x.done) { await refresh(x); await pause(4);@ }",
        "while (more()) { take(); await pause(4);@ }",
        "let at = 0; while (at < x.length) { await pause(4);@ at++; }",
        "for (const one of x) await pause(4);@",
        "while (this.left > 0) this.left -= 1;@",
        "for (;;) { await pause(4);@ }",
    ] {
        assert!(!looks(body), "{body}");
    }
}

#[test]
fn a_function_of_one_statement_is_told() {
    let single = |line: &str| ask(Language::JavaScript, line).function.expect("a function").single;
    assert!(single(
        "function pause(ms) {\n  // So long.\n  return new Promise((r) => setTimeout(r, ms));@\n}"
    ));
    assert!(single("const pause = (ms) => new Promise((r) => setTimeout(r, ms));@"));
    assert!(!single("async function step() {\n  await pause(4);@\n  left -= 1;\n}"));
}
