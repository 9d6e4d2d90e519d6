//! May two numbers be compared? Decided from what they depend on besides the program.

use model::compare::{Comparable, Difference};
use model::fingerprint::{Cache, Fingerprint, Program};

/// How far two measurements may be compared, and each field that says otherwise, in the order of the table.
///
/// Unknown never equals unknown: a field nobody could read keeps two sides from being fully comparable.
#[must_use]
pub fn comparable(base: &Fingerprint, new: &Fingerprint) -> (Comparable, Vec<Difference>) {
    let differences: Vec<Difference> =
        FIELDS.iter().filter_map(|field| field.difference(base, new)).collect();
    let proven =
        |difference: &Difference| difference.must && difference.base.is_some() && difference.new.is_some();
    let comparable = if differences.iter().any(proven) {
        Comparable::Not
    } else if differences.is_empty() {
        Comparable::Fully
    } else {
        Comparable::Advisory
    };
    (comparable, differences)
}

/// How much a field matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Different: not comparable. Unknown: advisory.
    Must,
    /// Different or unknown: advisory.
    May,
    /// Different: advisory. Unknown says nothing, because most compilers record nothing of it.
    MayWhenKnown,
    /// Never an obstacle: this is what one compares, or it follows from it.
    Informational,
}

/// One thing the numbers depend on.
struct Field {
    name: &'static str,
    class: Class,
    /// `None` when it is unknown.
    value: fn(&Fingerprint) -> Option<String>,
    equal: fn(&str, &str) -> bool,
}

impl Field {
    fn difference(&self, base: &Fingerprint, new: &Fingerprint) -> Option<Difference> {
        let (base, new) = ((self.value)(base), (self.value)(new));
        let counts = match (self.class, &base, &new) {
            (Class::Informational, _, _) => false,
            (_, Some(base), Some(new)) => !(self.equal)(base, new),
            (class, _, _) => class != Class::MayWhenKnown,
        };
        counts.then(|| Difference { field: self.name.to_owned(), base, new, must: self.class == Class::Must })
    }
}

fn exactly(base: &str, new: &str) -> bool {
    base == new
}

/// What the kernel keeps for itself at boot differs a little from boot to boot.
fn within_one_percent(base: &str, new: &str) -> bool {
    within(base, new, 100)
}

/// The environment lies above the stack and moves it; a few bytes come from session names and process numbers.
fn within_ten_percent(base: &str, new: &str) -> bool {
    within(base, new, 10)
}

/// Whether whole numbers, pair by pair, differ by at most one part in `parts` of the larger one.
fn within(base: &str, new: &str, parts: u64) -> bool {
    let near = |(base, new): (&str, &str)| match (base.parse::<u64>(), new.parse::<u64>()) {
        (Ok(base), Ok(new)) => base.abs_diff(new) <= base.max(new) / parts,
        _ => base == new,
    };
    let (base, new) = (base.split(SEPARATOR), new.split(SEPARATOR));
    base.clone().count() == new.clone().count() && base.zip(new).all(near)
}

const fn must(name: &'static str, value: fn(&Fingerprint) -> Option<String>) -> Field {
    Field { name, class: Class::Must, value, equal: exactly }
}

const fn may(name: &'static str, value: fn(&Fingerprint) -> Option<String>) -> Field {
    Field { name, class: Class::May, value, equal: exactly }
}

const fn may_when_known(name: &'static str, value: fn(&Fingerprint) -> Option<String>) -> Field {
    Field { name, class: Class::MayWhenKnown, value, equal: exactly }
}

const fn informational(name: &'static str, value: fn(&Fingerprint) -> Option<String>) -> Field {
    Field { name, class: Class::Informational, value, equal: exactly }
}

const FIELDS: &[Field] = &[
    must("cpu model", |f| f.machine.cpu_model.clone()),
    must("cpu vendor", |f| f.machine.cpu_vendor.clone()),
    must("cpu family", |f| word(f.machine.cpu_family)),
    must("cpu model number", |f| word(f.machine.cpu_model_number)),
    must("cpu stepping", |f| word(f.machine.cpu_stepping)),
    must("architecture", |f| f.machine.architecture.clone()),
    must("hypervisor", |f| f.machine.hypervisor.clone()),
    must("cpus allowed", |f| word(f.limits.cpus_allowed)),
    must("kernel version", |f| kernel_version(f.system.kernel.as_deref()?)),
    must("governor", |f| f.system.governor.clone()),
    must("boost", |f| f.system.boost.clone()),
    must("smt", |f| f.system.smt.clone()),
    must("cpu quota", |f| f.limits.cpu_quota.clone()),
    must("memory limit", |f| f.limits.memory_limit.clone()),
    must("container", |f| f.system.container.clone()),
    must("filesystem", |f| f.system.filesystem.clone()),
    may("kernel release", |f| f.system.kernel.clone()),
    may("distribution", |f| f.system.distribution.clone()),
    may("libc", |f| f.system.libc.clone()),
    may("microcode", |f| f.machine.microcode.clone()),
    may("mitigations", |f| f.system.mitigations.clone()),
    may("transparent huge pages", |f| f.system.transparent_huge_pages.clone()),
    may("address randomisation", |f| f.system.aslr.clone()),
    may("clocksource", |f| f.system.clocksource.clone()),
    may("cpus present", |f| word(f.machine.cpus_present)),
    may("numa nodes", |f| word(f.machine.numa_nodes)),
    may("caches", |f| f.machine.caches.as_deref().map(caches)),
    Field {
        name: "memory",
        class: Class::May,
        value: |f| word(f.machine.memory_bytes),
        equal: within_one_percent,
    },
    may("swap", |f| word(f.machine.swap_bytes)),
    may("nice", |f| word(f.limits.nice)),
    may("scheduler", |f| f.limits.scheduler.clone()),
    may("tools", tools),
    Field {
        name: "environment size",
        class: Class::May,
        value: |f| of_programs(f, |program| word(program.environment_bytes)),
        equal: within_ten_percent,
    },
    may("inputs", |f| of_programs(f, inputs)),
    may_when_known("interpreter", |f| of_programs(f, |program| program.interpreter.clone())),
    may_when_known("frame pointers", |f| of_programs(f, |program| word(program.has_frame_pointers))),
    may_when_known("optimisation", |f| of_programs(f, |program| program.optimisation.clone())),
    may_when_known("static linking", |f| of_programs(f, |program| word(program.statically_linked))),
    informational("program path", |f| of_programs(f, |program| program.path.clone())),
    informational("program hash", |f| of_programs(f, |program| program.sha256.clone())),
    informational("program size", |f| of_programs(f, |program| word(program.bytes))),
    informational("build id", |f| of_programs(f, |program| program.build_id.clone())),
    informational("program kind", |f| of_programs(f, |program| program.kind.map(|kind| format!("{kind:?}")))),
    informational("symbols", |f| of_programs(f, |program| word(program.has_symbols))),
    informational("debug lines", |f| of_programs(f, |program| word(program.has_debug_lines))),
    informational("set-user-id", |f| of_programs(f, |program| word(program.set_user_id))),
];

fn word<T: ToString>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// `6.18` of `6.18.44-fc-v445`; `None` for a release that does not begin with two numbers.
fn kernel_version(release: &str) -> Option<String> {
    let mut parts = release.split('.');
    let (major, rest) = (parts.next()?, parts.next()?);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let minor = rest.get(..digits)?;
    (major.parse::<u32>().is_ok() && !minor.is_empty()).then(|| format!("{major}.{minor}"))
}

fn caches(caches: &[Cache]) -> String {
    let one = |cache: &Cache| {
        let Cache { level, kind, bytes, line_bytes, ways, shared_by_cpus } = cache;
        let known = |value: &Option<u32>| value.map_or_else(|| "?".to_owned(), |value| value.to_string());
        let (line, ways, shared) = (known(line_bytes), known(ways), known(shared_by_cpus));
        format!("L{level} {kind} {bytes} bytes, line {line}, {ways} ways, shared by {shared}")
    };
    caches.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Names and versions; unknown as soon as one version is.
fn tools(fingerprint: &Fingerprint) -> Option<String> {
    let tools =
        fingerprint.tools.iter().map(|(name, version)| Some(format!("{name}: {}", version.as_deref()?)));
    joined(tools)
}

/// A property of all programs, in the order of the arms; unknown as soon as it is for one of them.
fn of_programs(fingerprint: &Fingerprint, property: fn(&Program) -> Option<String>) -> Option<String> {
    joined(fingerprint.programs.iter().map(property))
}

/// Hashes of the input files, sorted: two checkouts have the same input under different paths.
fn inputs(program: &Program) -> Option<String> {
    let mut hashes = program.inputs.values().cloned().collect::<Option<Vec<String>>>()?;
    hashes.sort();
    joined(hashes.into_iter().map(Some))
}

/// Between the values of several arms, tools or files.
const SEPARATOR: &str = ", ";

/// All parts in one line, `none` when there are none.
fn joined(parts: impl Iterator<Item = Option<String>>) -> Option<String> {
    let parts = parts.collect::<Option<Vec<String>>>()?;
    Some(if parts.is_empty() { "none".to_owned() } else { parts.join(SEPARATOR) })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use model::fingerprint::{Limits, Machine, ProgramKind, System};

    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    /// A fingerprint in which everything is known.
    fn known() -> Fingerprint {
        let cache = Cache {
            level: 1,
            kind: "unified".to_owned(),
            bytes: 32 << 10,
            line_bytes: Some(64),
            ways: Some(8),
            shared_by_cpus: Some(1),
        };
        Fingerprint {
            machine: Machine {
                cpu_model: text("AMD EPYC"),
                cpu_vendor: text("AuthenticAMD"),
                cpu_family: Some(25),
                cpu_model_number: Some(1),
                cpu_stepping: Some(1),
                microcode: text("0x1"),
                architecture: text("x86_64"),
                hypervisor: text("kvm"),
                cpus_present: Some(2),
                numa_nodes: Some(1),
                caches: Some(vec![cache]),
                memory_bytes: Some(16 << 30),
                swap_bytes: Some(0),
            },
            system: System {
                kernel: text("6.18.44-fc"),
                distribution: text("Debian 12"),
                libc: text("glibc 2.36"),
                governor: text("performance"),
                boost: text("off"),
                smt: text("none"),
                mitigations: text("abc"),
                transparent_huge_pages: text("madvise"),
                aslr: text("2"),
                clocksource: text("tsc"),
                filesystem: text("ext4"),
                container: text("none"),
            },
            limits: Limits {
                cpus_allowed: Some(2),
                cpu_quota: text("unlimited"),
                memory_limit: text("unlimited"),
                nice: Some(0),
                scheduler: text("other"),
            },
            tools: BTreeMap::from([("valgrind".to_owned(), text("valgrind-3.19.0"))]),
            programs: vec![program()],
        }
    }

    fn program() -> Program {
        Program {
            path: text("/bin/a"),
            sha256: text("aa"),
            bytes: Some(1000),
            build_id: text("bb"),
            kind: Some(ProgramKind::Elf),
            interpreter: text("/bin/sh"),
            has_symbols: Some(true),
            has_debug_lines: Some(true),
            has_frame_pointers: Some(false),
            optimisation: text("-O2"),
            statically_linked: Some(false),
            set_user_id: Some(false),
            inputs: BTreeMap::from([("in".to_owned(), text("cc"))]),
            environment_bytes: Some(1000),
        }
    }

    type Change = fn(&mut Fingerprint);

    /// For each row: a change that makes it differ, and one that makes it unknown.
    const CHANGES: &[(&str, Change, Change)] = &[
        ("cpu model", |f| f.machine.cpu_model = Some("B".into()), |f| f.machine.cpu_model = None),
        ("cpu vendor", |f| f.machine.cpu_vendor = Some("B".into()), |f| f.machine.cpu_vendor = None),
        ("cpu family", |f| f.machine.cpu_family = Some(6), |f| f.machine.cpu_family = None),
        ("cpu model number", |f| f.machine.cpu_model_number = Some(6), |f| f.machine.cpu_model_number = None),
        ("cpu stepping", |f| f.machine.cpu_stepping = Some(6), |f| f.machine.cpu_stepping = None),
        ("architecture", |f| f.machine.architecture = Some("B".into()), |f| f.machine.architecture = None),
        ("hypervisor", |f| f.machine.hypervisor = Some("none".into()), |f| f.machine.hypervisor = None),
        ("cpus allowed", |f| f.limits.cpus_allowed = Some(1), |f| f.limits.cpus_allowed = None),
        ("kernel version", |f| f.system.kernel = Some("6.17.44-fc".into()), |f| f.system.kernel = None),
        ("governor", |f| f.system.governor = Some("B".into()), |f| f.system.governor = None),
        ("boost", |f| f.system.boost = Some("on".into()), |f| f.system.boost = None),
        ("smt", |f| f.system.smt = Some("on".into()), |f| f.system.smt = None),
        ("cpu quota", |f| f.limits.cpu_quota = Some("500".into()), |f| f.limits.cpu_quota = None),
        ("memory limit", |f| f.limits.memory_limit = Some("4096".into()), |f| f.limits.memory_limit = None),
        ("container", |f| f.system.container = Some("docker".into()), |f| f.system.container = None),
        ("filesystem", |f| f.system.filesystem = Some("xfs".into()), |f| f.system.filesystem = None),
        ("kernel release", |f| f.system.kernel = Some("6.18.45-fc".into()), |f| f.system.kernel = None),
        ("distribution", |f| f.system.distribution = Some("B".into()), |f| f.system.distribution = None),
        ("libc", |f| f.system.libc = Some("B".into()), |f| f.system.libc = None),
        ("microcode", |f| f.machine.microcode = Some("B".into()), |f| f.machine.microcode = None),
        ("mitigations", |f| f.system.mitigations = Some("B".into()), |f| f.system.mitigations = None),
        (
            "transparent huge pages",
            |f| f.system.transparent_huge_pages = Some("always".into()),
            |f| f.system.transparent_huge_pages = None,
        ),
        ("address randomisation", |f| f.system.aslr = Some("0".into()), |f| f.system.aslr = None),
        ("clocksource", |f| f.system.clocksource = Some("hpet".into()), |f| f.system.clocksource = None),
        ("cpus present", |f| f.machine.cpus_present = Some(4), |f| f.machine.cpus_present = None),
        ("numa nodes", |f| f.machine.numa_nodes = Some(4), |f| f.machine.numa_nodes = None),
        ("caches", |f| f.machine.caches = Some(Vec::new()), |f| f.machine.caches = None),
        ("memory", |f| f.machine.memory_bytes = Some(8 << 30), |f| f.machine.memory_bytes = None),
        ("swap", |f| f.machine.swap_bytes = Some(1 << 30), |f| f.machine.swap_bytes = None),
        ("nice", |f| f.limits.nice = Some(5), |f| f.limits.nice = None),
        ("scheduler", |f| f.limits.scheduler = Some("batch".into()), |f| f.limits.scheduler = None),
        (
            "tools",
            |f| drop(f.tools.insert("valgrind".into(), Some("B".into()))),
            |f| drop(f.tools.insert("valgrind".into(), None)),
        ),
        (
            "environment size",
            |f| f.programs[0].environment_bytes = Some(1112),
            |f| f.programs[0].environment_bytes = None,
        ),
        (
            "inputs",
            |f| drop(f.programs[0].inputs.insert("in".into(), Some("dd".into()))),
            |f| drop(f.programs[0].inputs.insert("in".into(), None)),
        ),
        (
            "interpreter",
            |f| f.programs[0].interpreter = Some("B".into()),
            |f| f.programs[0].interpreter = None,
        ),
        (
            "frame pointers",
            |f| f.programs[0].has_frame_pointers = Some(true),
            |f| f.programs[0].has_frame_pointers = None,
        ),
        (
            "optimisation",
            |f| f.programs[0].optimisation = Some("-O0".into()),
            |f| f.programs[0].optimisation = None,
        ),
        (
            "static linking",
            |f| f.programs[0].statically_linked = Some(true),
            |f| f.programs[0].statically_linked = None,
        ),
        ("program path", |f| f.programs[0].path = Some("B".into()), |f| f.programs[0].path = None),
        ("program hash", |f| f.programs[0].sha256 = Some("B".into()), |f| f.programs[0].sha256 = None),
        ("program size", |f| f.programs[0].bytes = Some(1), |f| f.programs[0].bytes = None),
        ("build id", |f| f.programs[0].build_id = Some("B".into()), |f| f.programs[0].build_id = None),
        ("program kind", |f| f.programs[0].kind = Some(ProgramKind::Other), |f| f.programs[0].kind = None),
        ("symbols", |f| f.programs[0].has_symbols = Some(false), |f| f.programs[0].has_symbols = None),
        (
            "debug lines",
            |f| f.programs[0].has_debug_lines = Some(false),
            |f| f.programs[0].has_debug_lines = None,
        ),
        ("set-user-id", |f| f.programs[0].set_user_id = Some(true), |f| f.programs[0].set_user_id = None),
    ];

    fn changed(change: Change) -> Fingerprint {
        let mut fingerprint = known();
        change(&mut fingerprint);
        fingerprint
    }

    #[test]
    fn every_row_has_a_change_and_a_name_of_its_own() {
        let rows: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
        let changes: Vec<&str> = CHANGES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(rows, changes);
        assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), rows.len());
    }

    #[test]
    fn every_row_can_trigger_when_it_differs() {
        for (field, (name, differ, _)) in FIELDS.iter().zip(CHANGES) {
            let (verdict, differences) = comparable(&known(), &changed(*differ));
            let listed = differences.iter().find(|difference| difference.field == *name);
            let wanted = match field.class {
                Class::Must => Comparable::Not,
                Class::May | Class::MayWhenKnown => Comparable::Advisory,
                Class::Informational => Comparable::Fully,
            };
            assert_eq!(verdict, wanted, "{name}");
            assert_eq!(listed.is_some(), field.class != Class::Informational, "{name}");
            assert!(listed.is_none_or(|listed| listed.must == (field.class == Class::Must)), "{name}");
        }
    }

    #[test]
    fn unknown_never_equals_unknown() {
        for (field, (name, _, unknown)) in FIELDS.iter().zip(CHANGES) {
            let blind = changed(*unknown);
            let wanted = match field.class {
                Class::Must | Class::May => Comparable::Advisory,
                Class::MayWhenKnown | Class::Informational => Comparable::Fully,
            };
            for (base, new) in [(&known(), &blind), (&blind, &known()), (&blind, &blind)] {
                let (verdict, differences) = comparable(base, new);
                assert_eq!(verdict, wanted, "{name}");
                let listed = differences.iter().any(|difference| difference.field == *name);
                assert_eq!(listed, wanted == Comparable::Advisory, "{name}");
            }
        }
    }

    #[test]
    fn all_known_and_equal_is_fully_comparable() {
        assert_eq!(comparable(&known(), &known()), (Comparable::Fully, Vec::new()));
    }

    #[test]
    fn two_empty_fingerprints_are_advisory_not_equal() {
        let (verdict, differences) = comparable(&Fingerprint::default(), &Fingerprint::default());
        assert_eq!(verdict, Comparable::Advisory);
        let musts = FIELDS.iter().filter(|field| field.class == Class::Must).count();
        assert_eq!(differences.iter().filter(|difference| difference.must).count(), musts);
    }

    #[test]
    fn the_order_of_the_sides_does_not_matter() {
        let changes = CHANGES.iter().flat_map(|(_, differ, unknown)| [*differ, *unknown]);
        let all: Vec<Fingerprint> = changes.map(changed).chain([known(), Fingerprint::default()]).collect();
        for base in &all {
            for new in &all {
                let (there, forwards) = comparable(base, new);
                let (back, backwards) = comparable(new, base);
                assert_eq!(there, back);
                let turned = |difference: &Difference| Difference {
                    base: difference.new.clone(),
                    new: difference.base.clone(),
                    ..difference.clone()
                };
                assert_eq!(forwards, backwards.iter().map(turned).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_unknown_beside_a_proven_difference_stays_not_comparable() {
        let mut new = known();
        new.machine.cpu_model = Some("B".to_owned());
        new.system.governor = None;
        assert_eq!(comparable(&known(), &new).0, Comparable::Not);
    }

    #[test]
    fn small_changes_of_memory_and_environment_pass() {
        let mut new = known();
        new.machine.memory_bytes = Some((16 << 30) - (4 << 20));
        new.programs[0].environment_bytes = Some(1100);
        assert_eq!(comparable(&known(), &new).0, Comparable::Fully);
        assert!(within_ten_percent("1000, 2000", "1090, 2000"));
        assert!(!within_ten_percent("1000, 2000", "1000, 3000"));
        assert!(!within_ten_percent("1000", "1000, 1000"));
    }

    #[test]
    fn the_same_input_under_another_path_is_the_same_input() {
        let mut new = known();
        new.programs[0].inputs = BTreeMap::from([("../other/in".to_owned(), text("cc"))]);
        assert_eq!(comparable(&known(), &new).0, Comparable::Fully);
    }

    #[test]
    fn kernel_versions_are_two_numbers() {
        for (release, wanted) in [
            ("6.18.44-fc-v445", Some("6.18")),
            ("6.1-rc3", Some("6.1")),
            ("5.10", Some("5.10")),
            ("6", None),
            ("6.", None),
            ("x.y", None),
            ("", None),
        ] {
            assert_eq!(kernel_version(release).as_deref(), wanted, "{release}");
        }
    }
}
