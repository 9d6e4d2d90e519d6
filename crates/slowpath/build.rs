//! Packs the texts that runtimes are handed (`src/walk/runtime/`): as they are they would be a hundredth of the binary.

#![expect(clippy::expect_used, reason = "a build script has nobody to return an error to")]

use std::io::Write as _;
use std::path::PathBuf;
use std::{env, fs};

const TEXTS: [&str; 6] = ["Watch.java", "hook.cjs", "hook.py", "loop.cjs", "natives.py", "watch.cjs"];

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for name in TEXTS {
        let path = format!("src/walk/runtime/{name}");
        println!("cargo::rerun-if-changed={path}");
        let text = fs::read(path).expect("a file of ours");
        let packed = fs::File::create(out.join(format!("{name}.z"))).expect("OUT_DIR can be written");
        let mut packer = flate2::write::DeflateEncoder::new(packed, flate2::Compression::best());
        packer.write_all(&text).and_then(|()| packer.finish().map(drop)).expect("OUT_DIR can be written");
    }
}
