//! Answers price questions from a market table that changes now and then.

#[derive(Clone, Copy)]
struct Quote {
    symbol: u32,
    bid: u32,
    ask: u32,
    depth: [u32; 9],
}

struct Market {
    quotes: Vec<Quote>,
    version: u64,
}

struct Question {
    symbol: u32,
    pieces: u32,
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below) as u32
    }
}

impl Market {
    fn open(dice: &mut Dice, symbols: u32) -> Market {
        let quotes = (0..symbols)
            .map(|symbol| {
                let bid = 500 + dice.roll(9_000);
                Quote { symbol, bid, ask: bid + 1 + dice.roll(40), depth: [dice.roll(100); 9] }
            })
            .collect();
        Market { quotes, version: 1 }
    }

    fn snapshot(&self) -> Vec<Quote> {
        self.quotes.clone()
    }

    fn change(&mut self, dice: &mut Dice) {
        let place = dice.roll(self.quotes.len() as u64) as usize;
        if let Some(quote) = self.quotes.get_mut(place) {
            quote.bid += dice.roll(3);
            quote.ask = quote.bid + 1 + dice.roll(40);
        }
        self.version += 1;
    }
}

fn find(quotes: &[Quote], symbol: u32) -> Option<&Quote> {
    quotes.binary_search_by_key(&symbol, |quote| quote.symbol).ok().and_then(|place| quotes.get(place))
}

fn quote(market: &Market, question: &Question) -> u64 {
    let table = market.snapshot();
    let Some(found) = find(&table, question.symbol) else { return 0 };
    let mut left = question.pieces;
    let mut cost = 0_u64;
    for (level, depth) in found.depth.iter().enumerate() {
        let taken = left.min(*depth);
        cost += u64::from(taken) * u64::from(found.ask + level as u32);
        left -= taken;
    }
    cost + u64::from(left) * u64::from(found.bid)
}

fn sign(answer: u64, version: u64) -> u64 {
    (0..5_000_u64).fold(answer ^ version, |hash, round| (hash ^ round).wrapping_mul(0x100_0000_01b3).rotate_left(7))
}

fn serve(market: &mut Market, dice: &mut Dice, questions: u32) -> u64 {
    let mut sum = 0_u64;
    for number in 0..questions {
        let question = Question { symbol: dice.roll(market.quotes.len() as u64), pieces: 1 + dice.roll(500) };
        sum = sum.rotate_left(3) ^ sign(quote(market, &question), market.version);
        if number % 5 == 0 {
            market.change(dice);
        }
    }
    sum
}

fn main() {
    let questions = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(45_000);
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let mut market = Market::open(&mut dice, 12_000);
    println!("{:016x}", serve(&mut market, &mut dice, questions));
}
