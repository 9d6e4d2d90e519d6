//! Traps in vineyards report their catches of wasps to a station, which keeps the warning level of each hillside.
use std::collections::BTreeMap;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

struct Catch {
    trap: u32,
    hillside: u32,
    wasps: u32,
}

/// One talk with the station; begins with a greeting and a password.
struct Talk {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Talk {
    fn begin(port: u16) -> io::Result<Talk> {
        let writer = TcpStream::connect(("127.0.0.1", port))?;
        writer.set_nodelay(true)?;
        let reader = BufReader::new(writer.try_clone()?);
        let mut talk = Talk { reader, writer };
        talk.say("HELLO traps")?;
        talk.say("PASS vespula")?;
        Ok(talk)
    }

    fn say(&mut self, line: &str) -> io::Result<String> {
        self.writer.write_all(format!("{line}\n").as_bytes())?;
        let mut answer = String::new();
        self.reader.read_line(&mut answer)?;
        Ok(answer.trim_end().to_owned())
    }
}

struct Relay {
    port: u16,
    levels: BTreeMap<u32, u32>,
    sent: usize,
}

impl Relay {
    fn new(port: u16) -> io::Result<Relay> {
        Ok(Relay { port, levels: BTreeMap::new(), sent: 0 })
    }

    fn send(&mut self, catch: &Catch) -> io::Result<()> {
        let mut talk = Talk::begin(self.port)?;
        let answer = talk.say(&format!("CATCH {} {} {}", catch.trap, catch.hillside, catch.wasps))?;
        let level = answer.strip_prefix("LEVEL ").and_then(|text| text.parse().ok()).unwrap_or(0);
        self.levels.insert(catch.hillside, level);
        self.sent += 1;
        Ok(())
    }
}

/// Guesses from the catch how many nests are near.
fn nests(catch: &Catch) -> u32 {
    let mut swarm = catch.wasps;
    for day in 0..300 {
        swarm = (swarm * 21 + day + catch.trap) % 2003;
    }
    swarm % 7
}

fn catches(count: u32) -> Vec<Catch> {
    let mut state: u32 = 1776;
    (0..count)
        .map(|number| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Catch { trap: number % 400, hillside: (state >> 8) % 23, wasps: (state >> 16) % 60 }
        })
        .collect()
}

/// The station: looks passwords up with care, answers catches at once.
fn station() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?.port());
    let mut hillsides: BTreeMap<u32, u32> = BTreeMap::new();
    for stream in listener.incoming() {
        let mut writer = stream?;
        writer.set_nodelay(true)?;
        for line in BufReader::new(writer.try_clone()?).lines() {
            let line = line?;
            let words: Vec<&str> = line.split(' ').collect();
            let answer = match words.as_slice() {
                ["HELLO", name] => format!("WELCOME {name}\n"),
                ["PASS", _] => {
                    thread::sleep(Duration::from_millis(2));
                    "OK\n".to_owned()
                }
                ["CATCH", _, hillside, wasps] => {
                    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
                    let level = hillsides.entry(number(hillside)).or_default();
                    *level = *level * 7 / 8 + number(wasps);
                    format!("LEVEL {level}\n")
                }
                _ => return Ok(()),
            };
            writer.write_all(answer.as_bytes())?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let argument = env::args().nth(1).unwrap_or_else(|| "20".to_owned());
    if argument == "station" {
        return station();
    }
    let count = argument.parse().expect("a number of catches");
    let mut child = Command::new(env::current_exe()?).arg("station").stdout(Stdio::piped()).spawn()?;
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut port)?;
    let port = port.trim().parse().expect("a port");

    let mut relay = Relay::new(port)?;
    let mut near = 0;
    for catch in catches(count) {
        relay.send(&catch)?;
        near += nests(&catch);
    }
    let Relay { levels, sent, .. } = relay;
    Talk::begin(port)?.say("END")?;
    child.wait()?;
    println!("{sent} sent, {near} nests, levels {:?}", levels.values().collect::<Vec<_>>());
    Ok(())
}
