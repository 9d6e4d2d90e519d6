//! Orders pages from a scanner and counts the bytes of each page as its file turns up in the tray.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver};
use std::thread;
use std::time::Duration;

use notify::{Config, Event, PollWatcher, RecursiveMode, Watcher};

fn scan(tray: PathBuf, orders: Receiver<usize>) {
    for page in orders {
        thread::sleep(Duration::from_millis(8));
        let text = format!("page {page} ").repeat(40 + page);
        let draft = tray.with_extension("part");
        std::fs::write(&draft, text).expect("a page");
        std::fs::rename(&draft, tray.join(format!("page-{page:03}.txt"))).expect("a tray");
    }
}

fn watch(tray: &Path) -> notify::Result<(PollWatcher, Receiver<notify::Result<Event>>)> {
    let (sender, events) = channel();
    let config = Config::default().with_poll_interval(Duration::from_millis(200));
    let mut watcher = PollWatcher::new(sender, config)?;
    watcher.watch(tray, RecursiveMode::NonRecursive)?;
    Ok((watcher, events))
}

fn arrival(events: &Receiver<notify::Result<Event>>, page: usize) -> Result<PathBuf, Box<dyn Error>> {
    let name = format!("page-{page:03}.txt");
    loop {
        let event = events.recv_timeout(Duration::from_secs(10))??;
        if let Some(path) = event.paths.into_iter().find(|path| path.ends_with(&name)) {
            return Ok(path);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let pages: usize = std::env::args().nth(1).ok_or("how many pages?")?.parse()?;
    let tray = std::env::temp_dir().join(format!("tray-{}", std::process::id()));
    std::fs::create_dir(&tray)?;
    let (orders, inbox) = channel();
    let scanner = thread::spawn({
        let tray = tray.clone();
        move || scan(tray, inbox)
    });
    let (watcher, events) = watch(&tray)?;
    let mut bytes = 0;
    for page in 0..pages {
        orders.send(page)?;
        bytes += std::fs::read(arrival(&events, page)?)?.len();
    }
    drop((watcher, orders));
    scanner.join().map_err(|_| "the scanner broke")?;
    std::fs::remove_dir_all(&tray)?;
    println!("{pages} pages, {bytes} bytes");
    Ok(())
}
