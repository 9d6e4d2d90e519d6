//! Values wagons of ore: an assayer knows the grade of each sample.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

const WAGON: usize = 400;

struct Assayer {
    line: BufReader<TcpStream>,
}

impl Assayer {
    fn meet(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the assayer is in");
        stream.set_nodelay(true).expect("a plain socket");
        Self { line: BufReader::new(stream) }
    }

    fn exchange(&mut self, question: &str) -> String {
        let mut answer = String::new();
        self.line.get_mut().write_all(question.as_bytes()).expect("sent");
        self.line.read_line(&mut answer).expect("answered");
        answer
    }

    fn grade(&mut self, sample: u32) -> u32 {
        self.exchange(&format!("{sample}\n")).trim().parse().expect("a grade")
    }

    fn grades(&mut self, samples: &[u32]) -> Vec<u32> {
        samples.iter().map(|sample| self.grade(*sample)).collect()
    }
}

struct Smelter {
    silver: u64,
    slag: u64,
}

impl Smelter {
    fn melt(&mut self, sample: u32, grade: u32) {
        let mut heat = u64::from(sample % 977);
        for hour in 0..60 {
            heat = (heat * 17 + u64::from(grade) + hour) % 10_007;
        }
        self.silver += u64::from(grade) * 3;
        self.slag += heat % 50;
    }
}

fn value_all(assayer: &mut Assayer, smelter: &mut Smelter, samples: &[u32]) {
    for wagon in samples.chunks(WAGON) {
        let grades = assayer.grades(wagon);
        for (sample, grade) in wagon.iter().zip(grades) {
            smelter.melt(*sample, grade);
        }
    }
}

/// Answers each line of samples with a line of grades.
fn assay() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("{}", listener.local_addr().expect("bound").port());
    let (stream, _) = listener.accept().expect("a visitor");
    stream.set_nodelay(true).expect("a plain socket");
    let mut writer = stream.try_clone().expect("a second handle");
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        let samples = line.split_whitespace().filter_map(|word| word.parse::<u32>().ok());
        let grades: Vec<String> =
            samples.map(|sample| (sample.wrapping_mul(2654435761) >> 24).to_string()).collect();
        if writer.write_all(format!("{}\n", grades.join(" ")).as_bytes()).is_err() {
            return;
        }
    }
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "2000".to_owned());
    if argument == "assay" {
        return assay();
    }
    let count: u32 = argument.parse().expect("a number of samples");
    let this = std::env::current_exe().expect("a path");
    let mut child = Command::new(this).arg("assay").stdout(Stdio::piped()).spawn().expect("started");
    let mut port = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut port).expect("a port");

    let samples: Vec<u32> = (0..count).map(|number| number * 13 + 5).collect();
    let mut smelter = Smelter { silver: 0, slag: 0 };
    let mut assayer = Assayer::meet(port.trim().parse().expect("a port"));
    value_all(&mut assayer, &mut smelter, &samples);
    drop(assayer);
    child.wait().expect("ended");
    println!("silver {}, slag {}", smelter.silver, smelter.slag);
}
