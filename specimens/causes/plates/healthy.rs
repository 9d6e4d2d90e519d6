//! Draws a zoom series of a fractal plate and prints a digest of all pictures.

const LIMIT: u32 = 900;

#[derive(Clone, Copy)]
struct View {
    left: f64,
    top: f64,
    size: f64,
}

struct Plate {
    side: usize,
    cells: Vec<u32>,
}

struct Palette {
    shades: Vec<u8>,
}

impl Palette {
    fn gentle() -> Palette {
        let shades = (0..=LIMIT).map(|step| ((step * 7 + step / 3) % 251) as u8).collect();
        Palette { shades }
    }

    fn shade(&self, step: u32) -> u8 {
        self.shades.get(step as usize).copied().unwrap_or(0)
    }
}

fn inside(x: f64, y: f64) -> bool {
    let off = x - 0.25;
    let q = off * off + y * y;
    q * (q + off) < 0.249_99 * y * y || (x + 1.0) * (x + 1.0) + y * y < 0.062_49
}

fn steps(x: f64, y: f64) -> u32 {
    if inside(x, y) {
        return LIMIT;
    }
    let (mut a, mut b) = (0.0_f64, 0.0_f64);
    for step in 0..LIMIT {
        let (a2, b2) = (a * a, b * b);
        if a2 + b2 > 4.0 {
            return step;
        }
        b = 2.0 * a * b + y;
        a = a2 - b2 + x;
    }
    LIMIT
}

fn render_row(view: View, side: usize, row: usize) -> Vec<u32> {
    let scale = view.size / side as f64;
    let y = view.top + row as f64 * scale;
    (0..side).map(|column| steps(view.left + column as f64 * scale, y)).collect()
}

fn render(view: View, side: usize) -> Plate {
    let mut cells = Vec::with_capacity(side * side);
    for row in 0..side {
        cells.extend(render_row(view, side, row));
    }
    Plate { side, cells }
}

fn soften(plate: &Plate, palette: &Palette) -> Vec<u8> {
    let side = plate.side;
    let mut out = vec![0_u8; side * side];
    for round in 0..24_u32 {
        for y in 1..side - 1 {
            for x in 1..side - 1 {
                let mut sum = round;
                for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)] {
                    sum += u32::from(palette.shade(plate.cells[(y + dy - 1) * side + x + dx - 1]));
                }
                out[y * side + x] = out[y * side + x].wrapping_add((sum / 5) as u8);
            }
        }
    }
    out
}

fn area(plate: &Plate) -> usize {
    plate.cells.iter().filter(|step| **step == LIMIT).count()
}

fn main() {
    let side = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(760);
    let palette = Palette::gentle();
    let mut sum = u64::from(inside(0.0, 0.0));
    for zoom in 0..3 {
        let size = 2.6 - 0.3 * f64::from(zoom);
        let view = View { left: -2.0 + 0.1 * f64::from(zoom), top: -size / 2.0 + 0.001, size };
        let plate = render(view, side);
        for value in soften(&plate, &palette) {
            sum = (sum ^ u64::from(value)).wrapping_mul(0x100_0000_01b3);
        }
        sum = sum.wrapping_add(area(&plate) as u64);
    }
    println!("{sum:016x}");
}
