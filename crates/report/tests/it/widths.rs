//! No line leaves the page, at any width.

use report::Page;
use unicode_width::UnicodeWidthStr;

use crate::{hostile, wire};

fn check(render: impl Fn(&Page) -> String) {
    for width in 60..=160 {
        for unicode in [true, false] {
            let page = Page { width, colour: false, unicode };
            let text = render(&page);
            for line in text.lines() {
                assert!(line.width() <= width, "{} > {width}: {line}", line.width());
                assert_eq!(line.trim_end(), line, "trailing blanks");
            }
            assert!(text.ends_with('\n') && !text.contains("\n\n\n"), "{text}");
            if width % 20 == 0 {
                let coloured = render(&Page { colour: true, ..page });
                assert_eq!(without_colour(&coloured), text, "colour must not move anything");
            }
        }
    }
}

/// The text without SGR sequences; nothing else may follow an escape.
pub(crate) fn without_colour(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (codes, rest) = piece.split_once('m').expect("an SGR sequence");
        assert!(
            codes.starts_with('[') && codes[1..].chars().all(|c| c.is_ascii_digit() || c == ';'),
            "{codes:?}"
        );
        plain.push_str(rest);
    }
    plain
}

#[test]
fn benches_fit() {
    let mut nasty = hostile::bench();
    nasty.commands.truncate(2);
    for bench in
        [wire::single(), wire::once(), wire::thrice(), wire::pair(), wire::many(), wire::extremes(), nasty]
    {
        check(|page| report::bench_text(&bench, page));
    }
}

#[test]
fn compares_fit() {
    for compare in [wire::compare(), wire::inconclusive(), wire::suite(), hostile::compare()] {
        check(|page| report::compare_text(&compare, page));
    }
}

#[test]
fn answers_and_doctors_fit() {
    for answer in [wire::answer(), wire::answer_once(), wire::answer_recorded(), hostile::answer()] {
        check(|page| report::answer_text(&answer, page));
    }
    for doctor in [wire::doctor(), wire::doctor_narrow(), hostile::doctor()] {
        check(|page| report::doctor_text(&doctor, page));
    }
}

#[test]
fn profiles_fit() {
    for profile in [wire::profile(), wire::profile_bare(), hostile::profile()] {
        check(|page| report::profile_text(&profile, page));
        check(|page| report::profile_tree(&profile, page));
    }
}

#[test]
fn a_profile_is_one_screen() {
    let page = Page { width: 80, colour: false, unicode: true };
    let lines = report::profile_text(&wire::profile(), &page).lines().count();
    assert!(lines <= 50, "{lines} lines");
}

#[test]
fn a_narrower_page_is_laid_out_as_sixty_columns() {
    let narrow = Page { width: 0, colour: false, unicode: true };
    let sixty = Page { width: 60, ..narrow };
    assert_eq!(report::bench_text(&wire::single(), &narrow), report::bench_text(&wire::single(), &sixty));
}
