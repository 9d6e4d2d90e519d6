//! Shipping agents book berths: the office in the harbour names the depth, the plan keeps the bookings.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const AGENTS: u32 = 8;

#[derive(Default)]
struct Plan {
    berths: BTreeMap<u32, u32>,
    fees: u64,
}

impl Plan {
    fn enter(&mut self, ship: u32, depth: u32) {
        self.berths.insert(ship, depth);
        self.fees += tariff(depth, ship);
    }
}

fn tariff(depth: u32, ship: u32) -> u64 {
    let mut fee = u64::from(depth) * 100;
    for step in 0..200 {
        fee += (fee / 97 + u64::from(ship) + step) % 13;
    }
    fee
}

struct Agent {
    number: u32,
    line: BufReader<TcpStream>,
}

impl Agent {
    fn call(number: u32, port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the office is open");
        stream.set_nodelay(true).expect("a plain socket");
        Self { number, line: BufReader::new(stream) }
    }

    fn ask(&mut self, ship: u32) -> u32 {
        let mut answer = String::new();
        self.line.get_mut().write_all(format!("depth {ship}\n").as_bytes()).expect("sent");
        self.line.read_line(&mut answer).expect("answered");
        answer.trim().parse().expect("a depth")
    }

    fn book(&mut self, ship: u32, plan: &Mutex<Plan>) {
        let depth = self.ask(ship);
        let mut plan = plan.lock().expect("no agent panics");
        plan.enter(ship, depth);
    }

    fn work(mut self, ships: u32, plan: &Mutex<Plan>) {
        for turn in 0..ships {
            let ship = turn * AGENTS + self.number;
            self.book(ship, plan);
        }
    }
}

/// The harbour office looks into its charts for each ship.
fn office() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("{}", listener.local_addr().expect("bound").port());
    for stream in listener.incoming().flatten() {
        thread::spawn(move || {
            stream.set_nodelay(true).expect("a plain socket");
            let mut writer = stream.try_clone().expect("a second handle");
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let ship: u32 = line.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
                thread::sleep(Duration::from_millis(8));
                if writer.write_all(format!("{}\n", 4 + ship * 7 % 12).as_bytes()).is_err() {
                    return;
                }
            }
        });
    }
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "4".to_owned());
    if argument == "office" {
        return office();
    }
    let ships: u32 = argument.parse().expect("a number of ships");
    let this = std::env::current_exe().expect("a path");
    let mut child = Command::new(this).arg("office").stdout(Stdio::piped()).spawn().expect("started");
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut port).expect("a port");
    let port = port.trim().parse().expect("a port");

    let plan = Arc::new(Mutex::new(Plan::default()));
    let agents: Vec<_> = (0..AGENTS)
        .map(|number| {
            let plan = plan.clone();
            thread::spawn(move || Agent::call(number, port).work(ships, &plan))
        })
        .collect();
    for agent in agents {
        agent.join().expect("no agent panics");
    }
    child.kill().expect("running");
    child.wait().expect("ended");
    let plan = plan.lock().expect("no agent panics");
    println!("{} berths, fees {}", plan.berths.len(), plan.fees);
}
