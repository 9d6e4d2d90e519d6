//! Programs that do not tell the names or lines of their code, and how they would.

use model::Gap;
use model::profile::Place;
use model::recording::{Language, Owner};

use crate::profile::Study;

/// From this share of the time that the program had on, where a place lies in its source is missed.
const MISSED: f64 = 0.1;

/// What the user's own program does not tell of the place that computes most. `None` where it tells its line, or computes
/// little.
pub(crate) fn untold(study: &Study) -> Option<Gap> {
    let own = study.spots.iter().filter(|spot| spot.place.owner == Owner::Project);
    let most = own.max_by(|one, other| one.wall.value.total_cmp(&other.wall.value))?;
    (most.wall.value >= MISSED * study.had()).then(|| gap(&most.place)).flatten()
}

fn gap(place: &Place) -> Option<Gap> {
    let native = matches!(place.language, Language::Native | Language::C | Language::Cpp | Language::Rust);
    let module = place.module.as_deref().filter(|_| native && place.line.is_none())?;
    let name = module.rsplit('/').next().unwrap_or(module);
    Some(match place.language {
        _ if place.is_nameless() => Gap::new(
            &format!("functions and lines of `{name}`"),
            "it has no symbols",
            Some("install its debug symbols, or build it with `-g` and without `strip`"),
        ),
        Language::Rust => Gap::new(
            &format!("lines of `{name}`, and functions expanded into others"),
            "it was built without debug information",
            Some("CARGO_PROFILE_RELEASE_DEBUG=1 cargo build --release"),
        ),
        _ => Gap::new(
            &format!("lines of `{name}`, and functions expanded into others"),
            "it was built without debug information",
            Some("build it with `-g`, which goes with `-O2` and costs nothing"),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, language: Language, line: Option<u32>) -> Place {
        Place {
            function: function.to_owned(),
            file: None,
            line,
            module: Some("/srv/bin/mill".to_owned()),
            language,
            owner: Owner::Project,
        }
    }

    #[test]
    fn a_place_without_a_line_says_how_to_get_one() {
        let words = |function: &str, language| {
            let gap = gap(&place(function, language, None)).unwrap();
            (gap.what, gap.next.unwrap())
        };
        let (what, next) = words("mill::grind", Language::Rust);
        assert!(what.starts_with("lines of `mill`") && next.starts_with("CARGO_PROFILE"), "{what}: {next}");
        let (what, next) = words("grind", Language::Native);
        assert!(what.starts_with("lines of `mill`") && next.contains("`-g`"), "{what}: {next}");
        let (what, next) = words("mill (no symbols)", Language::Native);
        assert!(what.starts_with("functions") && next.contains("debug symbols"), "{what}: {next}");
    }

    #[test]
    fn a_place_with_a_line_and_scripts_lack_nothing() {
        assert_eq!(gap(&place("grind", Language::C, Some(7))), None);
        assert_eq!(gap(&place("(top level)", Language::JavaScript, None)), None);
    }
}
