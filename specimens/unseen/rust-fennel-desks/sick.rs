//! Clerks at several desks answer letters; the address of each sender comes from the registry in another house.
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const DESKS: usize = 8;

struct Registry {
    line: BufReader<TcpStream>,
}

impl Registry {
    fn open(port: u16) -> io::Result<Registry> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        Ok(Registry { line: BufReader::new(stream) })
    }

    fn ask(&mut self, person: u32) -> io::Result<String> {
        self.line.get_mut().write_all(format!("{person}\n").as_bytes())?;
        let mut answer = String::new();
        self.line.read_line(&mut answer)?;
        Ok(answer.trim().to_string())
    }
}

#[derive(Default)]
struct Addresses {
    known: Mutex<HashMap<u32, String>>,
}

impl Addresses {
    fn find(&self, person: u32, registry: &mut Registry) -> io::Result<String> {
        let mut known = self.known.lock().unwrap();
        if let Some(address) = known.get(&person) {
            return Ok(address.clone());
        }
        let address = registry.ask(person)?;
        known.insert(person, address.clone());
        Ok(address)
    }

    fn count(&self) -> usize {
        self.known.lock().unwrap().len()
    }
}

fn compose(letter: u32, address: &str) -> u64 {
    let mut text = u64::from(letter) + 1;
    for byte in address.bytes().cycle().take(6000) {
        text = text.wrapping_mul(1_099_511_628_211) ^ u64::from(byte);
    }
    text
}

fn sender(letter: u32, letters: u32) -> u32 {
    (letter.wrapping_mul(2_654_435_761) >> 7) % (letters * 3 / 4 + 1)
}

fn desk(port: u16, letters: u32, next: &AtomicUsize, addresses: &Addresses) -> io::Result<u64> {
    let mut registry = Registry::open(port)?;
    let mut sum = 0u64;
    loop {
        let letter = next.fetch_add(1, Ordering::Relaxed) as u32;
        if letter >= letters {
            return Ok(sum);
        }
        let address = addresses.find(sender(letter, letters), &mut registry)?;
        sum = sum.wrapping_add(compose(letter, &address));
    }
}

fn answer(stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    for line in BufReader::new(stream).lines() {
        let person: u32 = line?.parse().unwrap_or(0);
        thread::sleep(Duration::from_millis(3));
        out.write_all(format!("{} Chapel Row, Ward {}\n", person % 190 + 1, person % 23).as_bytes())?;
    }
    Ok(())
}

fn registry_house() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}

fn start_house() -> io::Result<(Child, u16)> {
    let mut house = Command::new(std::env::current_exe()?)
        .arg("house")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(house.stdout.take().unwrap()).read_line(&mut line)?;
    Ok((house, line.trim().parse().unwrap_or(0)))
}

fn main() -> io::Result<()> {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "60".to_string());
    if argument == "house" {
        return registry_house();
    }
    let letters: u32 = argument.parse().unwrap_or(60);
    let (mut house, port) = start_house()?;
    let addresses = Arc::new(Addresses::default());
    let next = Arc::new(AtomicUsize::new(0));
    let clerks: Vec<_> = (0..DESKS)
        .map(|_| {
            let (next, addresses) = (Arc::clone(&next), Arc::clone(&addresses));
            thread::spawn(move || desk(port, letters, &next, &addresses))
        })
        .collect();
    let mut sum = 0u64;
    for clerk in clerks {
        sum = sum.wrapping_add(clerk.join().unwrap()?);
    }
    drop(house.stdin.take());
    house.wait()?;
    println!("letters {letters} senders {} sum {sum:x}", addresses.count());
    Ok(())
}
