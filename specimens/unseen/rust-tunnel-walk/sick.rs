//! Inspectors walk a network of tunnels from their shaft as far as their lamp lasts.

use std::collections::VecDeque;

type Hall = u32;

/// Tunnels are not stored: where a hall leads follows from its number.
struct Network {
    halls: u32,
}

impl Network {
    fn doors(&self, hall: Hall) -> [Hall; 3] {
        let near = hall.wrapping_mul(2654435761).rotate_left(9) % self.halls;
        [near, (hall + 4099) % self.halls, (hall ^ 0x2_0f11) % self.halls]
    }

    fn damage(&self, hall: Hall) -> u64 {
        let mut state = u64::from(hall) | 1;
        for _ in 0..300 {
            state ^= state >> 29;
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        }
        state >> 59
    }
}

struct Inspector<'a> {
    network: &'a Network,
    queue: VecDeque<(Hall, u32)>,
}

impl<'a> Inspector<'a> {
    fn new(network: &'a Network) -> Self {
        Inspector { network, queue: VecDeque::with_capacity(1024) }
    }

    fn inspect(&mut self, shaft: Hall, lamp: usize) -> u64 {
        let mut been = vec![false; self.network.halls as usize];
        let mut found = 0;
        let mut visited = 0;
        self.queue.clear();
        self.queue.push_back((shaft, 0));
        been[shaft as usize] = true;
        while let Some((hall, depth)) = self.queue.pop_front() {
            found += self.network.damage(hall) + u64::from(depth % 2);
            visited += 1;
            if visited == lamp {
                break;
            }
            for door in self.network.doors(hall) {
                if !been[door as usize] {
                    been[door as usize] = true;
                    self.queue.push_back((door, depth + 1));
                }
            }
        }
        found
    }
}

#[derive(Default)]
struct Roster {
    worst: Vec<(u64, Hall)>,
    total: u64,
}

impl Roster {
    fn enter(&mut self, shaft: Hall, found: u64) {
        self.total += found;
        self.worst.push((found, shaft));
        self.worst.sort_unstable_by(|one, other| other.cmp(one));
        self.worst.truncate(10);
    }
}

fn shift(inspector: &mut Inspector, roster: &mut Roster, shafts: u32) {
    for number in 0..shafts {
        let shaft = number.wrapping_mul(40503) % inspector.network.halls;
        let found = inspector.inspect(shaft, 2500);
        roster.enter(shaft, found);
    }
}

fn main() {
    let shafts = std::env::args().nth(1).map_or(10, |word| word.parse().expect("a number of shafts"));
    let network = Network { halls: 60_000_000 };
    let mut roster = Roster::default();
    shift(&mut Inspector::new(&network), &mut roster, shafts);
    let worst: Vec<String> = roster.worst.iter().map(|(found, shaft)| format!("{shaft}:{found}")).collect();
    println!("damage {} worst {}", roster.total, worst.join(" "));
}
