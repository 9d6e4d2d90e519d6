//! Shows hikers the weather on the summits; what the station of a summit says is kept for the others who ask.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use cached::proc_macro::cached;

static STATION: OnceLock<SocketAddr> = OnceLock::new();

fn answer(hiker: TcpStream) -> std::io::Result<()> {
    let mut line = String::new();
    BufReader::new(&hiker).read_line(&mut line)?;
    let summit: i32 = line.trim().parse().unwrap_or(0);
    thread::sleep(Duration::from_millis(20));
    writeln!(&hiker, "{}", 15 - summit * 7 % 31)
}

fn open_station() -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for hiker in listener.incoming().flatten() {
            thread::spawn(move || answer(hiker));
        }
    });
    Ok(address)
}

#[cached(sync_writes = "default")]
fn degrees(summit: i32) -> i32 {
    let station = TcpStream::connect(STATION.get().expect("a station")).expect("an open line");
    writeln!(&station, "{summit}").expect("a question");
    let mut line = String::new();
    BufReader::new(&station).read_line(&mut line).expect("an answer");
    line.trim().parse().expect("degrees")
}

fn plan(hiker: i32, summits: i32) -> i32 {
    (0..summits).map(|stage| degrees((hiker * 13 + stage * 5) % summits)).max().unwrap_or(0)
}

fn main() -> std::io::Result<()> {
    let summits = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    STATION.get_or_init(|| open_station().expect("a free port"));
    let warmest: i32 = thread::scope(|scope| {
        let hikers: Vec<_> = (0..8).map(|hiker| scope.spawn(move || plan(hiker, summits))).collect();
        hikers.into_iter().map(|hiker| hiker.join().expect("a plan")).sum()
    });
    println!("{summits} summits, warmest {warmest}");
    Ok(())
}
