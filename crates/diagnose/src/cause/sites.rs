//! Where the runtime says that objects are made.

use model::Metric;
use model::profile::Place;
use model::recording::Owner;
use model::runtime::{RUNTIME, Site, Sites};

use super::facts::Inputs;
use super::subject::Subject;

const SAMPLED: (&str, &str) = (RUNTIME, "samples of the runtime's own");

/// A function that makes less of all bytes than this is not whose garbage it is: without it two thirds remain.
const MOST: f64 = 1.0 / 3.0;

/// The user's function that makes most objects, if it clearly does.
pub(super) fn maker<'i>(inputs: &Inputs<'i>) -> Option<&'i Place> {
    largest(garbage(inputs)?).map(|(site, _)| &site.place)
}

/// Bytes made, against the program's peak memory: with less, all that was made would have had room, and the collector is busy
/// for another reason.
const RECYCLED: f64 = 1.0;

/// Where objects are made, if most of them become garbage.
fn garbage<'i>(inputs: &Inputs<'i>) -> Option<&'i Sites> {
    let runtime = inputs.runtime?;
    let sites = runtime.sites.as_ref()?;
    let peak = runtime.run.peak_rss.as_bytes() as f64;
    (sites.bytes.as_bytes() as f64 >= RECYCLED * peak).then_some(sites)
}

/// The largest site of the user's own code and its share, where its interval lies above that of the next one.
fn largest(sites: &Sites) -> Option<(&Site, f64)> {
    let mut own = sites.largest.iter().filter(|site| site.place.owner == Owner::Project);
    let share = |site: &Site| Some(sites.share_of(site)?.0.min(1.0));
    let bounds = |value: f64| crate::profile::wilson(value, sites.samples.0 as f64);
    let first = own.next()?;
    let value = share(first)?;
    let next = own.next().and_then(share).unwrap_or(0.0);
    (value >= MOST && bounds(value).low > bounds(next).high).then_some((first, value))
}

/// Notes whose garbage it is, with the number.
pub(super) fn note_maker(subject: &mut Subject, inputs: &Inputs<'_>) {
    let Some(sites) = garbage(inputs) else { return };
    let Some((site, share)) = largest(sites) else { return };
    subject.share("gc.maker", share, sites.samples.0);
    if let Some(metric) = subject.metrics.get_mut("gc.maker") {
        (metric.artifact, metric.source) = SAMPLED;
    }
    let at = super::finding::words(&site.place);
    subject.word("maker", at);
}

/// Notes how fast a place makes objects.
pub(super) fn note_rate(subject: &mut Subject, inputs: &Inputs<'_>, place: &Place) {
    let Some((sites, run)) = inputs.runtime.and_then(|runtime| Some((runtime.sites.as_ref()?, &runtime.run)))
    else {
        return;
    };
    let is_here = |site: &&Site| site.place.function == place.function && site.place.file == place.file;
    // What is not among the largest is not known to make nothing.
    let (Some(site), Some(cpu)) = (sites.largest.iter().find(is_here), Metric::Cpu.of(run)) else { return };
    if cpu > 0.0 {
        subject.number("made.rate", site.bytes.as_bytes() as f64 / cpu, "B/s", SAMPLED);
    }
}

#[cfg(test)]
mod tests {
    use model::recording::Language;
    use model::{Bytes, Count};

    use super::*;

    fn sites(samples: u64, all: &[(Owner, u64)]) -> Sites {
        let site = |(owner, bytes): &(Owner, u64)| Site {
            place: Place {
                function: "f".to_owned(),
                file: None,
                line: None,
                module: None,
                language: Language::JavaScript,
                owner: *owner,
            },
            inside: None,
            bytes: Bytes::from_bytes(*bytes),
            samples: Count(1),
        };
        let bytes = Bytes::from_bytes(all.iter().map(|(_, bytes)| bytes).sum());
        Sites { bytes, samples: Count(samples), largest: all.iter().map(site).collect(), changed: None }
    }

    #[test]
    fn only_a_site_that_is_clearly_the_largest_is_whose_garbage_it_is() {
        use Owner::{Library, Project};
        let share = |sites: &Sites| largest(sites).map(|(_, share)| share);
        assert_eq!(share(&sites(400, &[(Project, 60), (Project, 30), (Library, 10)])), Some(0.6));
        assert_eq!(share(&sites(400, &[(Library, 50), (Project, 40), (Project, 10)])), Some(0.4));
        // Few samples cannot tell the two apart, and a quarter is no culprit.
        assert_eq!(share(&sites(8, &[(Project, 60), (Project, 40)])), None);
        assert_eq!(share(&sites(400, &[(Library, 75), (Project, 25)])), None);
        assert_eq!(share(&sites(400, &[(Project, 48), (Project, 46), (Library, 6)])), None);
        assert_eq!(share(&Sites::default()), None, "nothing sampled tells nothing");
    }
}
