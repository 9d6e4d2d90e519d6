//! Seeded random numbers: xoshiro256++ (Blackman and Vigna 2019), its state filled by splitmix64 as its authors advise.
//! Source of both: <https://prng.di.unimi.it>, `xoshiro256plusplus.c` and `splitmix64.c`.

/// A random number generator. The same seed gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator for this seed. Every seed is good, 0 as well.
    pub fn new(seed: u64) -> Self {
        let mut seed = seed;
        Self { state: std::array::from_fn(|_| splitmix64(&mut seed)) }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c_next, d_next) = (c ^ a, d ^ b);
        self.state = [a ^ d_next, b ^ c_next, c_next ^ (b << 17), d_next.rotate_left(45)];
        result
    }

    /// A number from 0 (possible) to 1 (never), all multiples of 2⁻⁵³ equally likely.
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `n`, all equally likely; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // Lemire (2019), "Fast random integer generation in an interval": multiply, reject the uneven rest.
        let n = n as u64;
        let uneven = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= uneven {
                return (product >> 64) as usize;
            }
        }
    }

    /// Puts `items` into random order, all orders equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A standard normal number, by Marsaglia's polar method (1964).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * square.ln() / square).sqrt();
            }
        }
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector of the `rand_xoshiro` crate, made with the authors' C code.
    #[test]
    fn xoshiro_gives_the_published_numbers() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let expected = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    /// The vector of the `rand_xoshiro` crate, made with the authors' C code.
    #[test]
    fn splitmix_gives_the_published_numbers() {
        let mut state = 1_477_776_061_723_855_037;
        let expected = [
            1_985_237_415_132_408_290,
            2_979_275_885_539_914_483,
            13_511_426_838_097_143_398,
            8_488_337_342_461_049_707,
            15_141_737_807_933_549_159,
        ];
        assert_eq!(expected.map(|_| splitmix64(&mut state)), expected);
    }

    #[test]
    fn every_number_below_six_comes_equally_often() {
        let mut rng = Rng::new(1);
        let mut counts = [0_u32; 6];
        (0..60_000).for_each(|_| counts[rng.below(6)] += 1);
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn all_six_orders_of_three_come_equally_often() {
        let mut rng = Rng::new(2);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..12_000 {
            let mut items = [0, 1, 2];
            rng.shuffle(&mut items);
            *counts.entry(items).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| count.abs_diff(2_000) < 200), "{counts:?}");
    }

    #[test]
    fn normal_numbers_have_mean_zero_deviation_one_and_normal_tails() {
        let mut rng = Rng::new(3);
        let numbers: Vec<f64> = (0..100_000).map(|_| rng.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / 1e5;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let beyond = numbers.iter().filter(|x| x.abs() > 1.96).count();
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        assert!(beyond.abs_diff(5_000) < 250, "{beyond}");
    }
}
