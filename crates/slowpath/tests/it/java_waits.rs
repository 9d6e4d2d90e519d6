//! Threads of a JVM that wait for each other: what those do meanwhile whom they wait for.

use std::process::Command;

use serde_json::Value;

use crate::place::{Place, in_some_run};
use crate::runtimes;

/// Threads pass one gate, whose lock each of them holds while it sleeps. Whoever lets the next one in had queued before.
const GATE: &str = "\
public class Main {
    private int passed;

    synchronized void pass() throws InterruptedException {
        Thread.sleep(10);
        passed++;
    }

    static void visit(Main gate) {
        try {
            for (int at = 0; at < 25; at++) gate.pass();
        } catch (InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }

    public static void main(String[] words) throws InterruptedException {
        Main gate = new Main();
        Thread[] visitors = new Thread[4];
        for (int at = 0; at < visitors.length; at++) {
            visitors[at] = new Thread(() -> visit(gate));
            visitors[at].start();
        }
        for (Thread visitor : visitors) visitor.join();
        System.out.println(gate.passed);
    }
}
";

/// A thread tells by a permit that something has come, which it looks for from time to time.
const SIGN: &str = "\
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

public class Main {
    static final Queue<Integer> calls = new ConcurrentLinkedQueue<>();
    static final Semaphore booked = new Semaphore(0);

    static void follow() {
        try {
            while (true) {
                while (calls.poll() != null) booked.release();
                Thread.sleep(100);
            }
        } catch (InterruptedException end) {
            // Done.
        }
    }

    static void shift(int rounds) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            for (int call = 0; call < 20; call++) calls.add(call);
            booked.acquire(20);
        }
    }

    public static void main(String[] words) throws InterruptedException {
        Thread garage = new Thread(Main::follow);
        garage.start();
        shift(12);
        garage.interrupt();
        System.out.println(calls.size());
    }
}
";

/// Asks a server of its own for one price after the other, by tasks that are awaited at once.
const QUOTES: &str = "\
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class Main {
    static void serve(ServerSocket server) {
        try {
            while (true) {
                Socket client = server.accept();
                Thread answers = new Thread(() -> answer(client));
                answers.setDaemon(true);
                answers.start();
            }
        } catch (IOException end) {
            throw new IllegalStateException(end);
        }
    }

    static void answer(Socket client) {
        try (client) {
            int share = client.getInputStream().read();
            Thread.sleep(40);
            client.getOutputStream().write(share / 2);
        } catch (IOException | InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }

    static int ask(int port, int share) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(share);
            return socket.getInputStream().read();
        } catch (IOException end) {
            throw new IllegalStateException(end);
        }
    }

    static int worth(ExecutorService pool, int port, int shares) {
        int sum = 0;
        for (int at = 0; at < shares; at++) {
            int share = at;
            sum += CompletableFuture.supplyAsync(() -> ask(port, share), pool).join();
        }
        return sum;
    }

    public static void main(String[] words) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread peer = new Thread(() -> serve(server));
        peer.setDaemon(true);
        peer.start();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        System.out.println(worth(pool, server.getLocalPort(), 30));
        pool.shutdown();
    }
}
";

/// The answer for a program of Java. `None` where there is no JDK, which is said.
fn answer(source: &str) -> Option<Value> {
    let place = Place::new();
    place.file("Main.java", source);
    let built = Command::new("javac").args(["-g", "Main.java"]).current_dir(place.path()).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no javac here");
        return None;
    }
    Some(runtimes::asked_and_unchanged(&place, &["java", "-cp", ".", "Main"]).1)
}

/// Whether anything speaks for a cause. On a busy machine waits that nobody looked at leave it possible.
fn is_told(answer: &Value, id: &str) -> bool {
    let all = answer["hypotheses"].as_array().unwrap();
    let found = all.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("no {id}"));
    ["likely", "confirmed"].iter().any(|state| found["state"] == *state)
}

#[test]
fn a_lock_held_while_its_holder_sleeps_is_no_contention() {
    in_some_run(|| {
        let Some(answer) = answer(GATE) else { return };
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "lock-across-io", "{first:#}");
        assert_eq!(first["location"]["function"], "Main.pass", "{first:#}");
        assert!(!is_told(&answer, "lock-contention"), "{answer:#}");
    });
}

#[test]
fn who_waits_for_a_sign_waits_for_no_lock() {
    in_some_run(|| {
        let Some(answer) = answer(SIGN) else { return };
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "polling-sleep", "{first:#}");
        assert_eq!(first["location"]["function"], "Main.follow", "{first:#}");
        assert!(!is_told(&answer, "lock-contention") && !is_told(&answer, "lock-across-io"), "{answer:#}");
    });
}

#[test]
fn tasks_awaited_one_by_one_are_a_serial_fan_out() {
    in_some_run(|| {
        let Some(answer) = answer(QUOTES) else { return };
        let first = &answer["findings"][0];
        assert_eq!(first["cause"], "serial-fan-out", "{first:#}");
        assert!(first["summary"].as_str().unwrap().contains("`Main.worth`"), "{first:#}");
    });
}
