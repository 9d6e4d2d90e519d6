//! The licences of everything we build upon, whatever the platform, against those we accept.

use super::metadata::{Origin, Package};
use super::spdx;

/// Permissive ones alone: no CDDL, GPL or AGPL.
const ACCEPTED: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    // MIT without the duty to ship the notice.
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// One complaint for each third-party package that we may not use, or do not know whether we may.
pub(super) fn complaints(packages: &[Package]) -> Vec<String> {
    let strangers = packages.iter().filter(|package| package.origin == Origin::ThirdParty);
    strangers.filter_map(complaint).collect()
}

fn complaint(package: &Package) -> Option<String> {
    let who = format!("`{}` {}", package.name, package.version);
    let Some(licence) = &package.licence else {
        return Some(format!("{who} does not name its licence"));
    };
    match spdx::satisfied(licence, &ACCEPTED) {
        Ok(true) => None,
        Ok(false) => Some(format!("{who} is under `{licence}`, which is not accepted")),
        Err(error) => Some(format!("{who}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::metadata::made_up;
    use super::*;

    fn check(origin: Origin, licence: Option<&str>, wanted: &[&str]) {
        let package = Package { origin, licence: licence.map(str::to_owned), ..made_up("inferno", &[]) };
        assert_eq!(complaints(&[package]), wanted);
    }

    #[test]
    fn a_licence_outside_the_list_is_named_with_its_package() {
        check(
            Origin::ThirdParty,
            Some("CDDL-1.0"),
            &["`inferno` 0.1.0 is under `CDDL-1.0`, which is not accepted"],
        );
        check(Origin::ThirdParty, Some("MIT OR CDDL-1.0"), &[]);
    }

    #[test]
    fn an_unknown_licence_is_not_an_accepted_one() {
        check(Origin::ThirdParty, None, &["`inferno` 0.1.0 does not name its licence"]);
        check(
            Origin::ThirdParty,
            Some("MIT OR"),
            &["`inferno` 0.1.0: a licence expression ends where a licence is wanted"],
        );
    }

    #[test]
    fn our_own_crates_are_not_asked() {
        check(Origin::House, None, &[]);
    }
}
