//! Weighbridges of a quarry report each lorry to the till, which answers with the number of the receipt.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

const KIND_WEIGHT: u8 = 1;
const KIND_CLOSE: u8 = 2;

#[derive(Debug, Clone)]
struct Weighing {
    plate: String,
    gravel: u8,
    tare: u32,
    gross: u32,
}

impl Weighing {
    fn net(&self) -> u32 {
        self.gross.saturating_sub(self.tare)
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(10 + self.plate.len());
        out.push(self.gravel);
        out.extend_from_slice(&self.tare.to_be_bytes());
        out.extend_from_slice(&self.gross.to_be_bytes());
        out.push(self.plate.len() as u8);
        out.extend_from_slice(self.plate.as_bytes());
        out
    }

    fn decode(body: &[u8]) -> Option<Weighing> {
        let word = |at: usize| Some(u32::from_be_bytes(body.get(at..at + 4)?.try_into().ok()?));
        let length = *body.get(9)? as usize;
        let plate = String::from_utf8(body.get(10..10 + length)?.to_vec()).ok()?;
        Some(Weighing { plate, gravel: body[0], tare: word(1)?, gross: word(5)? })
    }
}

/// A packet on the wire: kind, length and body.
trait Packets {
    fn send(&mut self, kind: u8, body: &[u8]) -> io::Result<()>;
    fn receive(&mut self) -> io::Result<(u8, Vec<u8>)>;
}

struct Line {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Line {
    fn new(stream: TcpStream) -> io::Result<Line> {
        Ok(Line { reader: BufReader::new(stream.try_clone()?), writer: stream })
    }
}

impl Packets for Line {
    fn send(&mut self, kind: u8, body: &[u8]) -> io::Result<()> {
        self.writer.write_all(&[kind])?;
        self.writer.write_all(&(body.len() as u16).to_be_bytes())?;
        self.writer.write_all(body)
    }

    fn receive(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let mut head = [0u8; 3];
        self.reader.read_exact(&mut head)?;
        let mut body = vec![0u8; u16::from_be_bytes([head[1], head[2]]) as usize];
        self.reader.read_exact(&mut body)?;
        Ok((head[0], body))
    }
}

/// The till: prices a load, keeps the day's book and hands out receipts.
struct Till {
    prices: [u32; 5],
    book: BTreeMap<String, u64>,
    receipts: u32,
}

impl Till {
    fn new() -> Till {
        Till { prices: [1180, 1420, 990, 2075, 1660], book: BTreeMap::new(), receipts: 0 }
    }

    fn take(&mut self, weighing: &Weighing) -> [u8; 8] {
        let cents = weighing.net() as u64 * self.prices[weighing.gravel as usize % 5] as u64 / 1000;
        *self.book.entry(weighing.plate.clone()).or_insert(0) += cents;
        self.receipts += 1;
        ((self.receipts as u64) << 40 | cents).to_be_bytes()
    }

    fn serve(mut self, listener: TcpListener) -> io::Result<u64> {
        let (stream, _) = listener.accept()?;
        let mut line = Line::new(stream)?;
        loop {
            let (kind, body) = line.receive()?;
            match kind {
                KIND_WEIGHT => {
                    let weighing = Weighing::decode(&body).ok_or(io::ErrorKind::InvalidData)?;
                    let receipt = self.take(&weighing);
                    line.send(KIND_WEIGHT, &receipt)?;
                }
                KIND_CLOSE => break,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
        Ok(self.book.values().sum())
    }
}

struct Bridge {
    line: Line,
}

impl Bridge {
    fn dial(till: SocketAddr) -> io::Result<Bridge> {
        Ok(Bridge { line: Line::new(TcpStream::connect(till)?)? })
    }

    fn report(&mut self, weighing: &Weighing) -> io::Result<u64> {
        self.line.send(KIND_WEIGHT, &weighing.encode())?;
        let (_, receipt) = self.line.receive()?;
        let bytes: [u8; 8] = receipt.as_slice().try_into().map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(u64::from_be_bytes(bytes))
    }
}

fn lorries(count: u32) -> impl Iterator<Item = Weighing> {
    (0..count).map(|number| {
        let tare = 7_200 + number * 131 % 4_100;
        Weighing {
            plate: format!("QU-{:03}", number * 17 % 61),
            gravel: (number * 7 % 5) as u8,
            tare,
            gross: tare + 4_000 + number * 977 % 19_000,
        }
    })
}

fn main() -> io::Result<()> {
    let count: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(22);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let till = thread::spawn(move || Till::new().serve(listener));
    let mut bridge = Bridge::dial(address)?;
    let mut seal = 0u64;
    for weighing in lorries(count) {
        seal = seal.rotate_left(5) ^ bridge.report(&weighing)?;
    }
    bridge.line.send(KIND_CLOSE, &[])?;
    let earned = till.join().expect("the till broke")?;
    println!("lorries {count} earned {}.{:02} seal {seal:016x}", earned / 100, earned % 100);
    Ok(())
}
