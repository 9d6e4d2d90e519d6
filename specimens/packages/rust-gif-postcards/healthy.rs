//! Makes moving postcards of a sunset, a picture for each minute, and says how many pictures came out.

use gif::{Encoder, Frame, Repeat};

const WIDTH: u16 = 160;
const HEIGHT: u16 = 100;

fn picture(minute: usize) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(usize::from(WIDTH) * usize::from(HEIGHT) * 4);
    for row in 0..usize::from(HEIGHT) {
        for column in 0..usize::from(WIDTH) {
            let glow = (column * 255 / usize::from(WIDTH) + minute * 3) % 256;
            pixels.extend([glow as u8, (row * 2) as u8, (column ^ row) as u8, 255]);
        }
    }
    pixels
}

fn frame(mut pixels: Vec<u8>) -> Frame<'static> {
    Frame::from_rgba_speed(WIDTH, HEIGHT, &mut pixels, 10)
}

fn postcard(minutes: usize) -> Result<Vec<u8>, gif::EncodingError> {
    let mut encoder = Encoder::new(Vec::new(), WIDTH, HEIGHT, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    for minute in 0..minutes {
        encoder.write_frame(&frame(picture(minute)))?;
    }
    encoder.into_inner().map_err(Into::into)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let minutes = std::env::args().nth(1).ok_or("how many minutes?")?.parse()?;
    let card = postcard(minutes)?;
    let mut decoder = gif::DecodeOptions::new().read_info(card.as_slice())?;
    let (mut pictures, mut pixels) = (0, 0);
    while let Some(frame) = decoder.read_next_frame()? {
        pictures += 1;
        pixels += frame.buffer.len();
    }
    println!("{pictures} pictures, {pixels} pixels");
    Ok(())
}
