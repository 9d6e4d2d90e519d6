//! Writes a herbal: plants with their uses, nested a little.

const PLANTS: [&str; 6] = ["sage", "yarrow", "mint", "arnica", "valerian", "borage"];
const USES: [&str; 5] = ["fever", "sleep", "wounds", "cough", "teeth"];

pub fn write(plants: usize) -> String {
    let mut out = String::from("{herbal ");
    let mut state = 12345u32;
    for number in 0..plants {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let pick = (state >> 16) as usize;
        out.push_str("{plant ");
        out.push_str(PLANTS[pick % PLANTS.len()]);
        out.push_str(&format!(" no{number} {{uses "));
        for step in 0..pick % 4 + 1 {
            out.push_str(USES[(pick + step) % USES.len()]);
            out.push(' ');
        }
        out.push_str("} } ");
    }
    out.push('}');
    out
}
