//! Growth on the page: what stands where, within any width, and nothing hostile in it.

use report::Page;
use unicode_width::UnicodeWidthStr;

use crate::widths::without_colour;
use crate::wire;

#[test]
fn the_answer_comes_first_and_the_plot_below_it() {
    let text = report::scale_text(&wire::scale(), &Page { width: 100, colour: false, unicode: true });
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], " n^2: instructions grow with the square of the size");
    assert_eq!(lines[1], " ./dedup {SIZE} · 6 sizes, 1k to 32k · exponent 1.99 (1.97–2.01)");
    assert_eq!(lines[2], " ✗ worse than expected: n log n is excluded by the measurements");
    assert!(lines[4].contains("512 M") && lines[4].ends_with('•'), "{text}");
    for part in ["cpu time", "n^2 log n", "seen_before", "dedup.c:41", "between 4k and 8k", "at 1M: 500 G"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn no_line_leaves_the_page() {
    let mut scale = wire::scale();
    scale.command = "\u{1b}[31m<b>|`\n".repeat(9);
    if let Some(function) = scale.functions.first_mut() {
        function.name = "\u{202e}</text>".repeat(20);
    }
    for width in 60..=140 {
        for unicode in [true, false] {
            let page = Page { width, colour: false, unicode };
            let text = report::scale_text(&scale, &page);
            for line in text.lines() {
                assert!(line.width() <= width && line.trim_end() == line, "{width}: {line}");
            }
            assert!(!text.contains('\u{1b}') && (unicode || text.is_ascii()), "{text}");
            let coloured = report::scale_text(&scale, &Page { colour: true, ..page });
            assert_eq!(without_colour(&coloured), text);
        }
    }
    let (markdown, svg) = (report::scale_markdown(&scale), report::scale_svg(&scale));
    assert!(markdown.contains("```\n") && !markdown.contains("<b>"), "{markdown}");
    assert!(!svg.contains("<b>") && !svg.contains('\u{1b}') && svg.ends_with("</svg>\n"), "{svg}");
}
