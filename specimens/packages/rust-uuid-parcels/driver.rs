//! Gives each parcel of a night's post a number of its own and sorts them onto the carts.

use std::error::Error;

use uuid::Uuid;

const CARTS: usize = 16;

struct Parcel {
    number: Uuid,
    grams: u64,
}

fn accept(parcel: u64) -> Parcel {
    Parcel { number: Uuid::new_v4(), grams: 100 + parcel * 37 % 900 }
}

fn cart(parcel: &Parcel) -> usize {
    usize::from(parcel.number.as_bytes()[0]) % CARTS
}

fn night(parcels: u64) -> [u64; CARTS] {
    let mut carts = [0; CARTS];
    for number in 0..parcels {
        let parcel = accept(number);
        carts[cart(&parcel)] += parcel.grams;
    }
    carts
}

fn main() -> Result<(), Box<dyn Error>> {
    let parcels = std::env::args().nth(1).ok_or("how many parcels?")?.parse()?;
    let carts = night(parcels);
    println!("{} grams on {} carts", carts.iter().sum::<u64>(), carts.len());
    Ok(())
}
