//! Lays the footpaths of a moor out as a graph and looks how far one comes from the inn in a number of stages.

use petgraph::csr::Csr;

type Moor = Csr<(), u32>;

fn footpaths(stiles: u32) -> Vec<(u32, u32, u32)> {
    (0..stiles)
        .flat_map(|at| {
            let mut ends: Vec<u32> = [1, 5, 37, 211].iter().map(|step| (at * 3 + step * (1 + at % 7)) % stiles).collect();
            ends.sort_unstable();
            ends.dedup();
            ends.into_iter().map(move |end| (at, end, 100 + (at * 31 + end * 17) % 900))
        })
        .collect()
}

fn moor(stiles: u32) -> Moor {
    let mut moor = Moor::with_nodes(stiles as usize);
    for (from, to, yards) in footpaths(stiles) {
        moor.add_edge(from, to, yards);
    }
    moor
}

fn reach(moor: &Moor, inn: u32, stages: usize) -> (usize, u64) {
    let mut seen = vec![false; moor.node_count()];
    let (mut front, mut yards, mut count) = (vec![inn], 0, 0);
    for _ in 0..stages {
        let mut next = Vec::new();
        for at in front {
            for (end, length) in moor.neighbors_slice(at).iter().zip(moor.edges_slice(at)) {
                if !std::mem::replace(&mut seen[*end as usize], true) {
                    count += 1;
                    yards += u64::from(*length);
                    next.push(*end);
                }
            }
        }
        front = next;
    }
    (count, yards)
}

fn main() {
    let stiles = std::env::args().nth(1).and_then(|word| word.parse().ok()).expect("how many stiles?");
    let moor = moor(stiles);
    let (count, yards) = reach(&moor, 0, 8);
    println!("{} footpaths, {count} stiles in eight stages, {yards} yards", moor.edge_count());
}
