//! Sends the readings of the buoys of a bay over a websocket to the harbour office, and says what has arrived there.

use std::error::Error;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::thread;

use tungstenite::protocol::{Role, WebSocket};
use tungstenite::Message;

fn office(listener: TcpListener) -> std::io::Result<u64> {
    let (mut stream, _) = listener.accept()?;
    let mut piece = vec![0; 256 * 1024];
    let mut arrived = 0;
    loop {
        let length = stream.read(&mut piece)?;
        if length == 0 {
            return Ok(arrived);
        }
        arrived += length as u64;
    }
}

fn reading(number: u32) -> Vec<u8> {
    let mixed = number.wrapping_mul(2654435761);
    let mut reading = Vec::with_capacity(12);
    reading.extend_from_slice(&number.to_le_bytes());
    reading.extend_from_slice(&(mixed >> 20).to_le_bytes());
    reading.extend_from_slice(&(mixed & 0xfff).to_le_bytes());
    reading
}

fn report(line: &mut WebSocket<TcpStream>, readings: u32) -> tungstenite::Result<()> {
    for number in 0..readings {
        line.send(Message::Binary(reading(number)))?;
    }
    line.flush()
}

fn main() -> Result<(), Box<dyn Error>> {
    let readings = std::env::args().nth(1).ok_or("how many readings?")?.parse()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let stream = TcpStream::connect(listener.local_addr()?)?;
    stream.set_nodelay(true)?;
    let there = thread::spawn(move || office(listener));
    let mut line = WebSocket::from_raw_socket(stream, Role::Client, None);
    report(&mut line, readings)?;
    drop(line);
    println!("{readings} {}", there.join().map_err(|_| "the office is closed")??);
    Ok(())
}
