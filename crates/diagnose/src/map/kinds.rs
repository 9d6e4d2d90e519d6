//! What kind of time a wait is, from what was waited for. A peer outside the process tree is external: no change of
//! this program makes it answer sooner.

use std::collections::{BTreeMap, BTreeSet};

use model::calls::{Calls, Role};
use model::leaf::Charge;
use model::performance_map::StepType;
use model::recording::{Object, Recording};

/// What is known of a wait.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Waited {
    /// The system call, else the leaf in words.
    pub(super) function: String,
    /// The peer or process on the other side.
    pub(super) service: Option<String>,
    pub(super) kind: StepType,
}

/// Who answers where.
pub(super) struct Peers {
    databases: BTreeSet<String>,
    /// Addresses asked that are answered outside the tree.
    outside: BTreeSet<String>,
}

impl Peers {
    pub(super) fn of(recording: &Recording, calls: Option<&Calls>) -> Self {
        let asked = || calls.iter().flat_map(|calls| &calls.peers).filter(|peer| peer.role == Role::Asks);
        let is_database =
            |protocol: &str| matches!(protocol, "postgresql" | "mysql" | "redis" | "mongodb" | "cassandra");
        let databases = asked().filter(|peer| peer.protocol.as_deref().is_some_and(is_database));
        let traced = asked().filter(|peer| peer.process.is_none()).filter_map(|peer| peer.address.clone());
        let recorded = recording.objects.iter().filter_map(|object| match object {
            Object::Socket { peer: Some(peer), local_peer: None, .. } => Some(peer.clone()),
            _ => None,
        });
        let inside: BTreeSet<String> =
            asked().filter(|peer| peer.process.is_some()).filter_map(|peer| peer.address.clone()).collect();
        Self {
            databases: databases.filter_map(|peer| peer.address.clone()).collect(),
            outside: traced.chain(recorded).filter(|address| !inside.contains(address)).collect(),
        }
    }

    fn kind_of(&self, address: &str) -> StepType {
        if self.databases.contains(address) {
            StepType::Database
        } else if self.outside.contains(address) {
            StepType::External
        } else {
            StepType::Network
        }
    }
}

pub(super) fn waited(recording: &Recording, peers: &Peers, charge: Charge, call: Option<u32>) -> Waited {
    let call = call.and_then(|call| recording.calls.get(call as usize));
    let object = call.and_then(|call| recording.objects.get(call.object? as usize));
    let (service, kind) = other_side(recording, peers, charge, object);
    let function = call.map_or_else(|| charge.words().to_owned(), |call| call.name.clone());
    Waited { function, service, kind }
}

fn other_side(
    recording: &Recording,
    peers: &Peers,
    charge: Charge,
    object: Option<&Object>,
) -> (Option<String>, StepType) {
    match object {
        Some(Object::Socket { local_peer: Some(process), .. }) => {
            (process_name(recording, *process), StepType::Network)
        }
        Some(Object::Socket { peer: Some(peer), .. }) => (Some(peer.clone()), peers.kind_of(peer)),
        Some(Object::Set { members }) => {
            let known = members.iter().find(|member| peers.outside.contains(*member));
            match known {
                Some(member) => (Some(member.clone()), peers.kind_of(member)),
                None => (None, plain(charge)),
            }
        }
        _ => (None, plain(charge)),
    }
}

/// The kind of a wait whose other side nobody saw.
fn plain(charge: Charge) -> StepType {
    match charge {
        Charge::DiskRead | Charge::DiskWrite | Charge::Fault => StepType::File,
        Charge::Network => StepType::Network,
        Charge::Lock | Charge::Child | Charge::Pipe | Charge::Poll | Charge::Sleep => StepType::Architecture,
        Charge::Terminal | Charge::Stopped | Charge::Preempted | Charge::Woken => StepType::External,
        Charge::User
        | Charge::Kernel
        | Charge::Computing
        | Charge::Starting
        | Charge::Ending
        | Charge::Unaccounted => StepType::Cpu,
    }
}

/// A process as people call it: its program, and of an interpreter the script.
pub(super) fn process_name(recording: &Recording, process: u32) -> Option<String> {
    let process = recording.processes.get(process as usize)?;
    let script = process.runtime.as_ref().and_then(|_| {
        let words = process.argv.iter().skip(1).map(model::Arg::lossy);
        words.into_iter().find(|word| !word.starts_with('-') && word.contains('.'))
    });
    let script = script.and_then(|path| path.rsplit('/').next().map(str::to_owned));
    Some(match script {
        Some(script) if script != process.name => format!("{} {script}", process.name),
        _ => process.name.clone(),
    })
}

/// Share of wall time spent waiting for peers outside the tree that are no databases, by peer, longest first.
pub(super) fn external(
    recording: &Recording,
    trail: &crate::profile::trail::Trail,
    calls: Option<&Calls>,
) -> Vec<(String, f64)> {
    let peers = Peers::of(recording, calls);
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for piece in &trail.pieces {
        let Some(charge) = piece.charge else { continue };
        let waited = waited(recording, &peers, charge, piece.call);
        if let (StepType::External, Some(service)) = (waited.kind, waited.service) {
            *sums.entry(service).or_insert(0.0) += piece.share;
        }
    }
    let mut sums: Vec<(String, f64)> = sums.into_iter().collect();
    sums.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    sums
}
