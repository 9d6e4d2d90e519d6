//! Looks through many pages for words that are repeated, four workers at a time.

use std::thread;

use string_cache::DefaultAtom;

fn page(number: usize, words: usize) -> String {
    let mut text = String::with_capacity(words * 16);
    for word in 0..words {
        text.push_str("encyclopedia");
        text.push_str(&((number * 31 + word * word) % 3000).to_string());
        text.push(' ');
    }
    text
}

fn longest_run(text: &str, longest: &mut usize) {
    let mut run = 0;
    let mut last = DefaultAtom::from("");
    for word in text.split_ascii_whitespace() {
        let word = DefaultAtom::from(word);
        run = if word == last { run + 1 } else { 1 };
        *longest = run.max(*longest);
        last = word;
    }
}

fn work(worker: usize, workers: usize, pages: usize) -> (usize, usize) {
    let texts: Vec<String> = (0..8).map(|number| page(number, 2000)).collect();
    let (mut words, mut longest) = (0, 0);
    for number in (worker..pages).step_by(workers) {
        longest_run(&texts[number % 8], &mut longest);
        words += 2000;
    }
    (words, longest)
}

fn main() {
    let pages: usize = std::env::args().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(100);
    let workers: Vec<_> = (0..4).map(|worker| thread::spawn(move || work(worker, 4, pages))).collect();
    let (mut words, mut longest) = (0, 0);
    for worker in workers {
        let (counted, run) = worker.join().unwrap();
        words += counted;
        longest = longest.max(run);
    }
    println!("{words} words, {longest} times the same at most");
}
