//! What hypotheses are about, and the metrics known of it.

use std::collections::BTreeMap;

use model::profile::{Place, Share};

use super::Kind;

/// One measured number of a subject.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metric {
    pub(super) value: f64,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) unit: &'static str,
    pub(super) n: u32,
    pub(super) artifact: &'static str,
    pub(super) source: &'static str,
}

/// A place that computes or waits, or the whole run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Subject {
    pub(super) kind: Kind,
    /// The place to change.
    pub(super) place: Option<Place>,
    /// Of wall time.
    pub(super) wall: Share,
    /// What a metric that is not here would need: it was not measured.
    pub(super) metrics: BTreeMap<&'static str, Metric>,
    /// Words to fill in: `what`, `count`, `callee`, `statement`.
    pub(super) words: BTreeMap<&'static str, String>,
    /// Where the code at the place leads to another place that should change: by cause.
    pub(super) instead: BTreeMap<&'static str, Place>,
    /// The function of a package that does most of it.
    pub(super) inside: Option<Place>,
    /// Where another function of the package is to blame: by cause.
    pub(super) within: BTreeMap<&'static str, Place>,
}

impl Subject {
    pub(super) fn new(kind: Kind, place: Option<Place>, wall: Share) -> Self {
        let (metrics, words, instead) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { kind, place, wall, metrics, words, instead, inside: None, within: BTreeMap::new() }
    }

    /// A share of the subject's time that rests on samples.
    pub(super) fn share(&mut self, name: &'static str, value: f64, n: u64) {
        let interval = crate::profile::wilson(value, n as f64);
        self.metrics.insert(
            name,
            Metric {
                value,
                low: Some(interval.low),
                high: Some(interval.high),
                unit: "1",
                n: u32::try_from(n).unwrap_or(u32::MAX),
                artifact: model::recording::RECORDING,
                source: "recorder",
            },
        );
    }

    pub(super) fn number(
        &mut self,
        name: &'static str,
        value: f64,
        unit: &'static str,
        from: (&'static str, &'static str),
    ) {
        let (artifact, source) = from;
        self.metrics.insert(name, Metric { value, low: None, high: None, unit, n: 1, artifact, source });
    }

    pub(super) fn value(&self, name: &str) -> Option<f64> {
        self.metrics.get(name).map(|metric| metric.value)
    }

    /// A function of a package is to blame for a cause.
    pub(super) fn blame(&mut self, cause: &'static str, place: &Place) {
        self.word("within", format!("`{}`", place.function));
        self.within.insert(cause, place.clone());
    }

    pub(super) fn word(&mut self, name: &'static str, word: impl Into<String>) {
        self.words.insert(name, word.into());
    }
}
