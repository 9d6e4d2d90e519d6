//! Reads the heights of a hillside and says which of its columns would suit terraces for vines.

use ndarray::{Array1, Array2};

fn hillside(side: usize) -> Array2<f32> {
    Array2::from_shape_fn((side, side), |(row, column)| {
        let wave = (row * 13 + column * 7) % 101;
        (row / 8) as f32 * 0.5 + (wave * (1 + column % 9)) as f32 * 0.05
    })
}

fn steepness(heights: &Array2<f32>) -> Array1<f32> {
    let (rows, columns) = heights.dim();
    let mut steepness = Array1::zeros(columns);
    for row in 1..rows {
        for column in 0..columns {
            steepness[column] += (heights[[row, column]] - heights[[row - 1, column]]).abs();
        }
    }
    steepness / rows as f32
}

fn level(heights: &mut Array2<f32>, step: f32) {
    heights.mapv_inplace(|height| (height / step).trunc() * step);
}

fn suited(steepness: &Array1<f32>, most: f32) -> usize {
    steepness.iter().filter(|&&steep| steep < most).count()
}

fn main() {
    let side: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("how wide?");
    let mut heights = hillside(side);
    let mut found = Vec::new();
    for round in 1..=6 {
        let steepness = steepness(&heights);
        found.push((suited(&steepness, 3.0), steepness.sum() as u32));
        level(&mut heights, 0.25 * round as f32);
    }
    println!("{found:?}");
}
