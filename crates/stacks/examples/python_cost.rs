//! Shows what a running CPython does, and what reading it costs:
//! `cargo run --release -p stacks --example python_cost -- PID [READINGS]`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people, not part of the library"
)]

use std::thread::sleep;
use std::time::{Duration, Instant};

use stacks::python::Interpreter;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().unwrap_or(0));
    let (pid, readings) = (arguments.next().unwrap_or(0), arguments.next().unwrap_or(0));
    let begin = Instant::now();
    let mut interpreter = match Interpreter::find(pid) {
        Ok(interpreter) => interpreter,
        Err(cause) => return eprintln!("{cause}"),
    };
    println!(
        "Python 3.{}, found in {:?}, loop {:x?}",
        interpreter.minor(),
        begin.elapsed(),
        interpreter.eval().ranges
    );
    match interpreter.read() {
        Ok(reading) => {
            for thread in &reading.threads {
                println!("thread {} lock {:?}", thread.tid, thread.holds_lock);
                for frame in &thread.frames {
                    let code = interpreter.code(frame.code);
                    let (name, file) =
                        code.map_or(("?", "?"), |code| (code.name.as_str(), code.file.as_str()));
                    println!(
                        "  {name} ({file}:{}){}",
                        frame.line.unwrap_or(0),
                        if frame.entry { " |" } else { "" }
                    );
                }
            }
        }
        Err(cause) => println!("{cause}"),
    }
    if readings > 0 {
        println!("{}", cost(&mut interpreter, readings));
    }
}

/// Paced at 1 kHz as a sampler would, so caches are as cold as in use.
fn cost(interpreter: &mut Interpreter, readings: u32) -> String {
    let (mut torn, mut threads, mut frames) = (0, 0, 0);
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..readings {
        sleep(Duration::from_millis(1));
        let begin = Instant::now();
        let reading = interpreter.read();
        times.push(begin.elapsed());
        match reading {
            Ok(reading) => {
                torn += reading.torn;
                threads += reading.threads.len();
                frames += reading.threads.iter().map(|thread| thread.frames.len()).sum::<usize>();
            }
            Err(_) => torn += 1,
        }
    }
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let mean = times.iter().sum::<Duration>() / readings.max(1);
    format!(
        "{readings} readings: median {middle:?}, mean {mean:?}, {torn} torn, {threads} threads, {frames} frames"
    )
}
