//! The order in which the arms of a comparison run.

use crate::Rng;

/// The arms in the order they run, block by block: each block is a random order of the arms followed by its mirror image
/// (ABBA or BAAB for two arms, ABCCBA for three), which cancels any drift that is a straight line within the block.
///
/// Blocks come in pairs of an order and its reverse, the first of the two drawn at random: for two arms every pair of
/// blocks holds one ABBA and one BAAB. Arms are numbered from 0. An odd last block stands alone.
pub fn balanced_order(arms: usize, blocks: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut rng = Rng::new(seed);
    let mut order: Vec<usize> = (0..arms).collect();
    (0..blocks)
        .map(|block| {
            if block % 2 == 0 {
                rng.shuffle(&mut order)
            } else {
                order.reverse()
            }
            mirrored(&order)
        })
        .collect()
}

fn mirrored(order: &[usize]) -> Vec<usize> {
    order.iter().chain(order.iter().rev()).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABBA: [usize; 4] = [0, 1, 1, 0];
    const BAAB: [usize; 4] = [1, 0, 0, 1];

    #[test]
    fn every_pair_of_blocks_holds_one_abba_and_one_baab() {
        for pair in balanced_order(2, 200, 7).chunks(2) {
            assert!(pair == [ABBA, BAAB] || pair == [BAAB, ABBA], "{pair:?}");
        }
    }

    #[test]
    fn which_of_the_two_comes_first_is_drawn() {
        let first = balanced_order(2, 400, 7).chunks(2).filter(|pair| pair[0] == ABBA).count();
        assert!((70..130).contains(&first), "{first} of 200");
    }

    #[test]
    fn every_block_is_an_order_and_its_mirror() {
        for (arms, blocks) in [(1, 3), (2, 5), (3, 8), (5, 7), (0, 2)] {
            let order = balanced_order(arms, blocks, 1);
            assert_eq!(order.len(), blocks);
            for block in order {
                let mut half = block[..arms].to_vec();
                assert!(block.iter().eq(block.iter().rev()) && block.len() == 2 * arms);
                half.sort_unstable();
                assert!(half.into_iter().eq(0..arms));
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_order() {
        assert_eq!(balanced_order(3, 20, 5), balanced_order(3, 20, 5));
        assert_ne!(balanced_order(3, 20, 5), balanced_order(3, 20, 6));
    }
}
