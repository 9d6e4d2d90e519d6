//! Puts the sprites of a stage show onto large frames and keeps a mark of each.

use std::env;

const WIDTH: usize = 4096;
const HEIGHT: usize = 2304;

#[derive(Clone, Copy)]
struct Sprite {
    x: usize,
    y: usize,
    size: usize,
    shade: u32,
}

/// The moving parts of the show.
struct Show {
    sprites: Vec<Sprite>,
    step: usize,
}

impl Show {
    fn new(count: usize) -> Show {
        let sprites = (0..count)
            .map(|n| Sprite {
                x: n * 7919 % (WIDTH - 64),
                y: n * 104_729 % (HEIGHT - 64),
                size: 6 + n % 8,
                shade: (n as u32).wrapping_mul(0x0101_4f35) | 0xff,
            })
            .collect();
        Show { sprites, step: 0 }
    }

    fn advance(&mut self) {
        self.step += 1;
        for (n, sprite) in self.sprites.iter_mut().enumerate() {
            sprite.x = (sprite.x + 3 + n % 5) % (WIDTH - 64);
            sprite.y = (sprite.y + 1 + n % 3) % (HEIGHT - 64);
        }
    }
}

/// A frame of pixels, black at first.
struct Canvas {
    pixels: Vec<u32>,
}

impl Canvas {
    fn new() -> Canvas {
        Canvas { pixels: vec![0; WIDTH * HEIGHT] }
    }

    fn paint(&mut self, sprite: &Sprite) {
        for row in sprite.y..sprite.y + sprite.size {
            let line = &mut self.pixels[row * WIDTH + sprite.x..][..sprite.size];
            for pixel in line {
                *pixel = pixel.wrapping_add(sprite.shade);
            }
        }
    }

    fn clear(&mut self, sprite: &Sprite) {
        for row in sprite.y..sprite.y + sprite.size {
            self.pixels[row * WIDTH + sprite.x..][..sprite.size].fill(0);
        }
    }

    fn mark(&self, sprite: &Sprite) -> u64 {
        let mut mark = 0u64;
        for row in sprite.y..sprite.y + sprite.size {
            for &pixel in &self.pixels[row * WIDTH + sprite.x..][..sprite.size] {
                mark = mark.rotate_left(5) ^ u64::from(pixel);
            }
        }
        mark
    }
}

/// Mixes the marks of all sprites into one.
fn mix(sum: u64, mark: u64) -> u64 {
    (sum ^ mark).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

struct Stage {
    canvas: Canvas,
    sum: u64,
    frames: usize,
}

impl Stage {
    fn new() -> Stage {
        Stage { canvas: Canvas::new(), sum: 17, frames: 0 }
    }

    fn draw(&mut self, show: &Show) {
        let canvas = &mut self.canvas;
        for sprite in &show.sprites {
            canvas.paint(sprite);
        }
        for sprite in &show.sprites {
            self.sum = mix(self.sum, canvas.mark(sprite));
        }
        for sprite in &show.sprites {
            canvas.clear(sprite);
        }
        self.frames += 1;
    }
}

fn main() {
    let frames: usize = env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut show = Show::new(1500);
    let mut stage = Stage::new();
    for _ in 0..frames {
        stage.draw(&show);
        show.advance();
    }
    println!("{} frames, {} steps, mark {:016x}", stage.frames, show.step, stage.sum);
}
