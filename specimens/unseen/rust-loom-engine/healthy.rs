// A small machine that weaves: runs programs of few instructions, step after step.
use std::fmt;

#[derive(Clone, Copy, Debug)]
enum Step {
    Load(u8, u32),
    Add(u8, u8),
    Mul(u8, u8),
    Xor(u8, u8),
    Shift(u8, u32),
    Read(u8, u8),
    Write(u8, u8),
    Down(u8),
    JumpIf(u8, u32),
    Halt,
}

#[derive(Debug)]
enum Trouble {
    NoSuchStep(usize),
    Worn(u64),
}

impl fmt::Display for Trouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchStep(at) => write!(out, "no step {at}"),
            Self::Worn(steps) => write!(out, "worn out after {steps} steps"),
        }
    }
}

struct Machine {
    registers: [u32; 8],
    threads: Vec<u32>,
    steps: u64,
}

impl Machine {
    const CLOTH: usize = 4096;

    fn new() -> Self {
        Self { registers: [0; 8], threads: vec![0; Self::CLOTH], steps: 0 }
    }

    fn at(&self, register: u8) -> u32 {
        self.registers[usize::from(register & 7)]
    }

    fn set(&mut self, register: u8, value: u32) {
        self.registers[usize::from(register & 7)] = value;
    }

    fn run(&mut self, program: &[Step], limit: u64) -> Result<(), Trouble> {
        let mut at = 0;
        loop {
            let step = *program.get(at).ok_or(Trouble::NoSuchStep(at))?;
            self.steps += 1;
            if self.steps > limit {
                return Err(Trouble::Worn(self.steps));
            }
            at += 1;
            match step {
                Step::Load(to, value) => self.set(to, value),
                Step::Add(to, from) => self.set(to, self.at(to).wrapping_add(self.at(from))),
                Step::Mul(to, from) => self.set(to, self.at(to).wrapping_mul(self.at(from))),
                Step::Xor(to, from) => self.set(to, self.at(to) ^ self.at(from)),
                Step::Shift(to, by) => self.set(to, self.at(to).rotate_left(by)),
                Step::Read(to, place) => self.set(to, self.threads[self.at(place) as usize % Self::CLOTH]),
                Step::Write(from, place) => {
                    let place = self.at(place) as usize % Self::CLOTH;
                    self.threads[place] = self.at(from);
                }
                Step::Down(to) => self.set(to, self.at(to).wrapping_sub(1)),
                Step::JumpIf(register, to) => {
                    if self.at(register) != 0 {
                        at = to as usize;
                    }
                }
                Step::Halt => return Ok(()),
            }
        }
    }

    fn cloth(&self) -> u64 {
        self.threads.iter().fold(17, |sum: u64, &thread| sum.wrapping_mul(31).wrapping_add(u64::from(thread)))
    }
}

fn pattern(rows: u32) -> Vec<Step> {
    vec![
        Step::Load(0, rows),
        Step::Load(1, 2_654_435_761),
        Step::Load(2, 7),
        // each row: one pass over the cloth
        Step::Load(3, Machine::CLOTH as u32),
        Step::Read(4, 3),
        Step::Add(4, 2),
        Step::Mul(4, 1),
        Step::Shift(4, 13),
        Step::Xor(2, 4),
        Step::Write(2, 3),
        Step::Down(3),
        Step::JumpIf(3, 4),
        Step::Down(0),
        Step::JumpIf(0, 3),
        Step::Halt,
    ]
}

fn main() {
    let rows = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    let mut machine = Machine::new();
    match machine.run(&pattern(rows), 1 << 40) {
        Ok(()) => println!("steps {} cloth {:x}", machine.steps, machine.cloth()),
        Err(trouble) => {
            eprintln!("loom: {trouble}");
            std::process::exit(1);
        }
    }
}
