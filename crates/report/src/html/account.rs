//! The account of time as one bar that adds up to the whole, and a row for each leaf.

use std::fmt::Write as _;

use model::Unit;
use model::answer::{Account, Leaf};
use model::leaf::words_of;

use super::{Section, Sheet, Told, blocks, width};
use crate::document::Line;
use crate::flame::colour;
use crate::{account, inert, number};

/// Parts named beside a leaf.
const PARTS: usize = 4;

/// A leaf narrower than this has no room for its name in the bar.
const NAMED: f64 = 0.09;

pub(super) fn section(sheet: &Sheet) -> Option<Section> {
    let account = match sheet.told {
        Told::Why(answer) => &answer.account,
        Told::Profile(profile) => profile.account.as_ref()?,
        _ => return None,
    };
    let note = format!("Every moment of the run in one place. Unit: {}.", account.unit);
    Some(Section::new("account", "Where the time goes", note, body(account)))
}

fn body(account: &Account) -> String {
    let shares: Vec<f64> =
        account.leaves.iter().map(|leaf| leaf.share).chain([account.unaccounted]).collect();
    let printed = account::tenths(&shares);
    let mut bar = String::from("<div class=\"account-bar\" aria-hidden=\"true\">");
    let mut rows = String::new();
    for (leaf, share) in account.leaves.iter().zip(&printed) {
        segment(&mut bar, &leaf.leaf, leaf.share, share);
        row(&mut rows, leaf, share);
    }
    let rest = Leaf {
        leaf: "unaccounted".to_owned(),
        seconds: f64::NAN,
        share: account.unaccounted,
        parts: Vec::new(),
    };
    let share = printed.last().cloned().unwrap_or_default();
    segment(&mut bar, &rest.leaf, rest.share, &share);
    row(&mut rows, &rest, &share);
    bar.push_str("</div>");
    let total = number::percent_to_tenths(shares.iter().sum());
    let wall = account::length(account);
    let checks: Vec<Line> = account.checks.iter().map(|check| account::against(check, wall)).collect();
    format!(
        "{bar}<div class=\"scroll\"><table class=\"leaves\"><thead><tr><th scope=\"col\">leaf</th>\
         <th scope=\"col\" class=\"num\">share</th><th scope=\"col\" class=\"num\">time</th>\
         <th scope=\"col\">what it is made of</th></tr></thead><tbody>{rows}</tbody>\
         <tfoot><tr><th scope=\"row\">sum</th><td class=\"num\">{}</td><td></td><td></td></tr></tfoot></table></div>{}",
        inert::html(&total),
        checked(checks),
    )
}

/// The account beside other witnesses of the same time.
fn checked(checks: Vec<Line>) -> String {
    if checks.is_empty() {
        return String::new();
    }
    let points: String = checks.iter().map(|line| format!("<li>{}</li>", blocks::line(line))).collect();
    format!("<ul class=\"witnesses\">{points}</ul>")
}

/// A piece of the bar. What took back time (a negative share) has no width.
fn segment(bar: &mut String, leaf: &str, share: f64, printed: &str) {
    if width(share) < 0.05 {
        return;
    }
    let _ = write!(bar, "<span style=\"width:{:.3}%;background:{}\"", width(share), colour::leaf(leaf));
    let class = match leaf {
        "unaccounted" => "rest",
        leaf if colour::is_dark(&colour::leaf(leaf)) => "on-dark",
        _ => "",
    };
    let _ = write!(bar, " class=\"{class}\">");
    if share >= NAMED {
        let short = leaf.rsplit('/').next().unwrap_or(leaf);
        let _ = write!(bar, "<b>{}</b><i>{}</i>", inert::html(short), inert::html(printed));
    }
    bar.push_str("</span>");
}

fn row(rows: &mut String, leaf: &Leaf, printed: &str) {
    let time =
        if leaf.seconds.is_nan() { String::new() } else { number::quantity(leaf.seconds, Unit::Seconds) };
    let hatch = if leaf.leaf == "unaccounted" { " rest" } else { "" };
    let _ = write!(
        rows,
        "<tr><th scope=\"row\"><span class=\"swatch{hatch}\" style=\"background:{}\"></span>{}<small>{}</small></th>\
         <td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"parts\">",
        colour::leaf(&leaf.leaf),
        inert::html(&leaf.leaf),
        inert::html(words_of(&leaf.leaf).unwrap_or("")),
        inert::html(printed),
        inert::html(&time),
    );
    for part in leaf.parts.iter().take(PARTS) {
        let time = number::quantity(part.seconds, Unit::Seconds);
        let _ = write!(rows, "<span>{} <b>{}</b></span> ", inert::html(&part.what), inert::html(&time));
    }
    if let more @ 1.. = leaf.parts.len().saturating_sub(PARTS) {
        let _ = write!(rows, "<span>{more} more</span>");
    }
    rows.push_str("</td></tr>");
}
