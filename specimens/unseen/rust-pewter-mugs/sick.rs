//! Pewter mugs: a tavern with a long shelf; each guest looks at some mugs and takes one.

mod dice {
    pub struct Dice(u64);

    impl Dice {
        pub fn new(seed: u64) -> Self {
            Dice(seed)
        }
        pub fn roll(&mut self, sides: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % sides
        }
    }
}

mod shelf {
    use crate::dice::Dice;

    #[derive(Clone, Copy)]
    pub struct Mug {
        pub volume: u32,
        pub price: u32,
        pub wear: u32,
        pub sold: u32,
    }

    pub struct Shelf {
        mugs: Vec<Mug>,
        pub handled: u64,
    }

    impl Shelf {
        pub fn new(count: usize, dice: &mut Dice) -> Self {
            let mugs = (0..count)
                .map(|_| Mug {
                    volume: 200 + dice.roll(800) as u32,
                    price: 3 + dice.roll(40) as u32,
                    wear: dice.roll(100) as u32,
                    sold: 0,
                })
                .collect();
            Shelf { mugs, handled: 0 }
        }

        /// What stands there now.
        #[inline(never)]
        pub fn snapshot(&self) -> Vec<Mug> {
            self.mugs.clone()
        }

        pub fn take(&mut self, place: usize) -> Mug {
            let mug = &mut self.mugs[place];
            mug.sold += 1;
            mug.wear = (mug.wear + 7) % 100;
            self.handled += 1;
            *mug
        }

        pub fn len(&self) -> usize {
            self.mugs.len()
        }
    }
}

mod till {
    use crate::dice::Dice;
    use crate::shelf::{Mug, Shelf};

    pub struct Order {
        pub look: usize,
        pub purse: u32,
    }

    impl Order {
        /// "look=12;purse=30"
        pub fn parse(text: &str) -> Option<Order> {
            let (look, purse) = text.split_once(';')?;
            Some(Order {
                look: look.strip_prefix("look=")?.parse().ok()?,
                purse: purse.strip_prefix("purse=")?.parse().ok()?,
            })
        }
    }

    #[derive(Default)]
    pub struct Till {
        pub coins: u64,
        pub refused: u32,
        pub shine: u64,
    }

    impl Till {
        pub fn serve(&mut self, shelf: &mut Shelf, order: &Order, dice: &mut Dice) {
            let mugs = shelf.snapshot();
            let mut best: Option<(usize, u32)> = None;
            for _ in 0..order.look {
                let place = dice.roll(mugs.len());
                let worth = mugs[place].volume / (mugs[place].price + mugs[place].wear + 1);
                if mugs[place].price <= order.purse && best.map_or(true, |(_, other)| worth > other) {
                    best = Some((place, worth));
                }
            }
            match best {
                Some((place, _)) => {
                    let mug = shelf.take(place);
                    self.coins += u64::from(mug.price);
                    self.shine = self.shine.wrapping_add(polish(mug));
                }
                None => self.refused += 1,
            }
        }
    }

    fn polish(mug: Mug) -> u64 {
        let mut shine = u64::from(mug.volume) << 16 | u64::from(mug.wear);
        for turn in 0..2000 {
            shine = (shine ^ (shine >> 27)).wrapping_mul(0x3c79ac492ba7b653).wrapping_add(turn);
        }
        shine
    }
}

fn main() {
    let guests: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let mut dice = dice::Dice::new(1604);
    let mut shelf = shelf::Shelf::new(150_000, &mut dice);
    let mut till = till::Till::default();
    for guest in 0..guests {
        let text = format!("look={};purse={}", 5 + guest % 20, 4 + dice.roll(30));
        if let Some(order) = till::Order::parse(&text) {
            till.serve(&mut shelf, &order, &mut dice);
        }
    }
    println!("{} mugs, {} handled, {} coins, {} refused, shine {:016x}", shelf.len(), shelf.handled, till.coins, till.refused, till.shine);
}
