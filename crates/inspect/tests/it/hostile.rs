//! Cut, damaged and made-up images: an answer or an error, never a panic, never a hang.

use inspect::{Code, Hot, Piece, Request, audit};
use model::machine_code::Architecture;
use proptest::prelude::*;

use crate::compiled::loops;

fn ask(bytes: &[u8]) {
    let Ok(code) = Code::image(bytes) else { return };
    let named = ["float_sum", "chase", "main", "branchy"];
    let mut hot: Vec<Hot> =
        named.iter().map(|name| Hot::Function { name: (*name).into(), weight: 1 }).collect();
    let places = (0..0x2000).step_by(397);
    hot.extend(
        places
            .flat_map(|at| [Hot::Address { address: at, weight: 1 }, Hot::Offset { offset: at, weight: 1 }]),
    );
    let mut request = Request::new("hostile", "samples");
    request.least_share.0 = 0.0;
    let _ = audit(&code, &hot, &request);
}

#[test]
fn an_image_cut_anywhere_never_panics() {
    let Some(bytes) = loops(&["-g", "-O2"]) else { return };
    for end in (0..bytes.len()).step_by(211).chain((0..400).step_by(7)) {
        ask(&bytes[..end]);
    }
}

#[test]
fn an_image_with_damaged_bytes_never_panics() {
    damage(&["-g", "-O2"]);
    damage(&["-g", "-O2", "-gz=zlib"]);
}

fn damage(options: &[&str]) {
    let Some(bytes) = loops(options) else { return };
    let mut state = 1u64;
    for _ in 0..100 {
        let mut damaged = bytes.clone();
        for _ in 0..20 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Headers and symbols as often as the rest.
            let within = if state & 1 == 0 { 1500 } else { damaged.len() };
            let at = (state >> 20) as usize % within;
            damaged[at] = (state >> 11) as u8;
        }
        ask(&damaged);
    }
}

#[test]
fn an_image_for_another_machine_is_refused_by_name() {
    let mut bytes = vec![0; 64];
    bytes[..5].copy_from_slice(b"\x7fELF\x01");
    bytes[18] = 40;
    let error = Code::image(&bytes).err().unwrap().to_string();
    assert_eq!(error, "code for machine 40 of 32 bits is not understood");
    assert!(Code::image(b"#!/bin/sh\n").is_err());
    assert!(Code::image(b"").is_err());
}

#[test]
fn pieces_that_overlap_are_taken_once_and_those_without_bytes_hold_nothing() {
    let bytes = [0x90; 16];
    let piece =
        |name: &str, base, length| Piece { name: Some(name.to_owned()), base, bytes: &bytes[..length] };
    let pieces = vec![
        piece("second", 0x2000, 16),
        piece("first", 0x1000, 16),
        piece("over", 0x1008, 16),
        piece("empty", 0x1800, 0),
        piece("end", u64::MAX - 4, 16),
    ];
    let code = Code::pieces(pieces, Architecture::X86_64);
    let name = |address| code.function_at(address).and_then(|function| function.name.as_deref());
    let expected = [(0x1008, Some("first")), (0x1010, None), (0x1800, None), (0x200f, Some("second"))];
    for (address, expected) in expected {
        assert_eq!(name(address), expected, "{address:x}");
    }
    assert_eq!((name(u64::MAX - 1), name(u64::MAX)), (Some("end"), None));
    let hot = [0x1008, 0x1800, 0x2000].map(|address| Hot::Address { address, weight: 1 });
    let answer = audit(&code, &hot, &Request::new("made", "samples"));
    assert_eq!((answer.functions.len(), answer.unplaced), (2, 1));
}

/// Without bounds this takes gigabytes and does not end.
#[test]
fn as_many_loops_as_instructions_are_bounded_and_told() {
    // `jne` back by 16, over and over.
    let bytes: Vec<u8> = [0x75, 0xf0].repeat(50_000);
    let code = Code::raw(None, &bytes, 0x1000, Architecture::X86_64);
    let answer =
        audit(&code, &[Hot::Address { address: 0x1000, weight: 1 }], &Request::new("made", "samples"));
    assert!(
        answer.functions[0].gaps.iter().any(|gap| gap.what == "outer loops"),
        "{:?}",
        answer.functions[0].gaps
    );
}

proptest! {
    #[test]
    fn any_bytes_are_code(bytes in prop::collection::vec(any::<u8>(), 0..600), arm in any::<bool>()) {
        let architecture = if arm { Architecture::Aarch64 } else { Architecture::X86_64 };
        let code = Code::raw(None, &bytes, u64::MAX - 300, architecture);
        let hot: Vec<_> = (0..300).map(|at| Hot::Address { address: u64::MAX - at, weight: 1 }).collect();
        let _ = audit(&code, &hot, &Request::new("made", "samples"));
        let code = Code::raw(None, &bytes, 0x1000, architecture);
        let hot: Vec<_> = (0..600).map(|at| Hot::Address { address: 0x1000 + at, weight: 1 }).collect();
        let _ = audit(&code, &hot, &Request::new("made", "samples"));
    }

    #[test]
    fn any_bytes_are_an_image_or_not(mut bytes in prop::collection::vec(any::<u8>(), 64..600)) {
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        bytes[18..20].copy_from_slice(&62u16.to_le_bytes());
        ask(&bytes);
    }
}
