//! Sets a book from letters that lie in drawers (folders), earlier drawers first.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

const DRAWERS: usize = 14;
const LETTERS: u32 = 320;

struct Case {
    drawers: Vec<PathBuf>,
    listed: Vec<HashSet<String>>,
}

#[derive(Default)]
struct Book {
    used: HashMap<usize, u64>,
    missing: u64,
    width: u64,
}

impl Case {
    fn open(root: &Path) -> Self {
        let drawers: Vec<PathBuf> = (0..DRAWERS).map(|number| root.join(format!("drawer-{number}"))).collect();
        let listed = drawers
            .iter()
            .map(|drawer| {
                let files = fs::read_dir(drawer).into_iter().flatten().flatten();
                files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
            })
            .collect();
        Self { drawers, listed }
    }

    fn find(&self, letter: u32) -> Option<usize> {
        let name = format!("letter-{letter}.cut");
        self.listed.iter().position(|drawer| drawer.contains(&name))
    }

    fn count(&self) -> usize {
        self.drawers.len()
    }
}

fn fill(root: &Path) -> std::io::Result<()> {
    for number in 0..DRAWERS {
        fs::create_dir_all(root.join(format!("drawer-{number}")))?;
    }
    for letter in 0..LETTERS {
        // Rare letters lie further back.
        let drawer = (letter as usize * DRAWERS / LETTERS as usize).min(DRAWERS - 1);
        if letter % 11 != 5 {
            fs::write(root.join(format!("drawer-{drawer}/letter-{letter}.cut")), letter.to_string())?;
        }
    }
    Ok(())
}

fn kern(line: &[u32]) -> u64 {
    let mut width = 0;
    for pair in line.windows(2) {
        for step in 0..12 {
            width += u64::from((pair[0] * 7 + pair[1] * 3 + step) % 9);
        }
    }
    width
}

fn set_line(case: &Case, line: &[u32], book: &mut Book) {
    for letter in line {
        match case.find(*letter) {
            Some(drawer) => *book.used.entry(drawer).or_default() += 1,
            None => book.missing += 1,
        }
    }
    book.width += kern(line);
}

fn set_book(case: &Case, lines: u32) -> Book {
    let mut book = Book::default();
    let mut state = 17_u32;
    for _ in 0..lines {
        let line: Vec<u32> = (0..10)
            .map(|_| {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                (state >> 12) % LETTERS
            })
            .collect();
        set_line(case, &line, &mut book);
    }
    book
}

fn main() -> std::io::Result<()> {
    let lines = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(500);
    let root = std::env::temp_dir().join(format!("type-case-{}", std::process::id()));
    fill(&root)?;
    let case = Case::open(&root);
    let book = set_book(&case, lines);
    fs::remove_dir_all(&root)?;
    let mut used: Vec<_> = book.used.into_iter().collect();
    used.sort_unstable();
    println!("{} drawers, used {used:?}, missing {}, width {}", case.count(), book.missing, book.width);
    Ok(())
}
