//! What the tracer saw, with names: the calls of a run.

use std::path::{Path, PathBuf};

use model::calls::{Calls, Errors, FileUse, Message, Peer, Program, Ran, Role, Row, SCHEMA};
use model::recording::{Language, Owner};
use model::{Arg, Gap, Nanos};
use stacks::owner::Place;
use stacks::{PerfMaps, Project, Resolved};

use super::act::Beyond;
use super::book::{FileSum, Key, Sum};
use super::tree::Tree;
use super::watch::Watch;

/// When the run began and ended, by the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) begun: u64,
    pub(super) ended: u64,
}

/// Names every frame and fills the tables.
pub(super) fn calls(watch: Watch, span: Span, project: &Path) -> (Calls, Vec<Message>) {
    let since = |at: u64| Nanos::from_nanos(at.saturating_sub(span.begun));
    let resolved = named(&watch, project);
    let gaps = gaps(&watch);
    let Watch { tree, mut book, places, stopped, .. } = watch;
    let stack = |raw: Option<u32>| resolved.stack_of.get(raw? as usize).copied();
    let tracing = book.shortest.unwrap_or(0);
    let mut rows: Vec<Row> = book.rows.drain().map(|(key, sum)| row(key, sum, tracing, stack)).collect();
    rows.sort_by(|one, other| {
        let order = |row: &Row| (std::cmp::Reverse(row.latency), std::cmp::Reverse(row.count));
        order(one)
            .cmp(&order(other))
            .then_with(|| (&one.call, one.on, one.stack).cmp(&(&other.call, other.on, other.stack)))
    });
    std::mem::take(&mut book.stalls).tell(&mut book.peers, stack);
    book.totals.stacks = places.taken;
    book.totals.cut_stacks = places.cut;
    let messages = book.messages.into_iter();
    let messages = messages
        .map(|message| Message {
            from: since(message.from.as_nanos()),
            to: since(message.to.as_nanos()),
            stack: stack(message.stack),
            ..message
        })
        .collect();
    let calls = Calls {
        schema: SCHEMA.to_owned(),
        wall: since(span.ended),
        watched: since(stopped.unwrap_or(span.ended).min(span.ended)),
        tracing: book.shortest.map(Nanos::from_nanos),
        totals: book.totals,
        rows,
        files: book.files.into_iter().map(|file| used(file, tracing)).collect(),
        peers: with_processes(book.peers),
        others: book.others,
        processes: ran(tree, since),
        modules: resolved.modules,
        frames: resolved.frames,
        nodes: resolved.nodes,
        run: None,
        gaps,
    };
    (calls, messages)
}

fn row((call, on, raw): Key, sum: Sum, tracing: u64, stack: impl Fn(Option<u32>) -> Option<u32>) -> Row {
    Row {
        call: call.to_owned(),
        on,
        stack: stack(raw),
        count: sum.count,
        seen: sum.seen,
        requested: sum.requested,
        bytes: sum.bytes,
        latency: Nanos::from_nanos(sum.latency.saturating_sub(tracing.saturating_mul(sum.seen))),
        longest: Nanos::from_nanos(sum.longest.saturating_sub(tracing)),
        sizes: sum.sizes,
        errors: sum
            .errors
            .into_iter()
            .map(|(number, count)| Errors { error: error_name(number), count })
            .collect(),
        sequential: sum.sequential,
        overlapping: sum.overlapping,
        reread: sum.reread,
    }
}

fn used(file: FileSum, tracing: u64) -> FileUse {
    let syncs = tracing.saturating_mul(file.told.syncs);
    FileUse {
        distinct_read_bytes: file.read.covered(),
        distinct_written_bytes: file.written.covered(),
        sync: Nanos::from_nanos(file.told.sync.as_nanos().saturating_sub(syncs)),
        ..file.told
    }
}

/// A peer that is asked at the address where a process of the tree answers is that process.
fn with_processes(mut peers: Vec<Peer>) -> Vec<Peer> {
    let answers: Vec<(String, Option<u32>)> = peers
        .iter()
        .filter(|peer| peer.role == Role::Answers)
        .filter_map(|peer| Some((peer.address.clone()?, peer.process)))
        .collect();
    for peer in peers.iter_mut().filter(|peer| peer.role == Role::Asks && peer.process.is_none()) {
        let Some(address) = &peer.address else { continue };
        let found = answers.iter().find(|(own, _)| is_same(own, address));
        peer.process = found.and_then(|(_, process)| *process);
    }
    peers
}

/// Who listens on every address answers on each.
fn is_same(listening: &str, asked: &str) -> bool {
    let port = |address: &str| address.rsplit_once(':').map(|(_, port)| port.to_owned());
    let everywhere = ["0.0.0.0:", "[::]:"].iter().any(|every| listening.starts_with(every));
    listening == asked || (everywhere && port(listening) == port(asked))
}

fn ran(tree: Tree, since: impl Fn(u64) -> Nanos) -> Vec<Ran> {
    let told = |ran: super::tree::Ran| Ran {
        pid: ran.pid,
        parent: ran.parent,
        programs: ran
            .programs
            .into_iter()
            .map(|(at, argv)| Program { at: since(at), argv: argv.into_iter().map(Arg::from).collect() })
            .collect(),
        from: since(ran.from),
        to: ran.to.map(&since),
        ended: ran.status.map(crate::process::ended),
        threads: ran.threads,
    };
    tree.ran.into_iter().map(told).collect()
}

fn named(watch: &Watch, project: &Path) -> Resolved {
    let mut maps = PerfMaps::default();
    for ran in &watch.tree.ran {
        maps.read(ran.pid, crate::record::written_since(ran.from));
        crate::record::tidy_process(ran.pid, ran.from, project);
    }
    let first = watch.tree.ran.first().and_then(|ran| ran.programs.first());
    let script = first.and_then(|(_, argv)| {
        let words = argv.iter().skip(1).map(Path::new);
        let script = words.filter(|word| word.extension().is_some()).find(|word| word.is_file())?;
        std::path::absolute(script).ok()?.parent().map(Path::to_owned)
    });
    let program = first.and_then(|(_, argv)| argv.first()).map(PathBuf::from);
    let own = Project { root: project.to_owned(), program };
    let mut resolved = stacks::resolve(&watch.places.tree, watch.places.unwinder.files(), &maps, &own);
    let text =
        first.is_some_and(|(_, argv)| stacks::is_python_text(argv.iter().map(std::ffi::OsString::as_os_str)));
    // A script that was asked for is the user's own, wherever it lies.
    let beside = script.map(|root| Project { root, program: None });
    for frame in &mut resolved.frames {
        if matches!(frame.language, Language::Python | Language::JavaScript) && frame.owner != Owner::Runtime
        {
            let place = Place { file: frame.file.as_deref(), ..Place::default() };
            let is_own = beside.iter().any(|project| project.owner(place) == Owner::Project);
            let is_own = is_own || text && crate::record::is_of_text(frame);
            frame.owner = if is_own { Owner::Project } else { own.owner(place) };
        }
    }
    resolved
}

fn gaps(watch: &Watch) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if watch.stopped.is_some() {
        let why = format!("the tracer's time was up; {} calls were let through", watch.book.totals.unwatched);
        gaps.push(Gap::new("calls of the rest of the run", why, Some("give the pass more time")));
    }
    if !watch.stormy.is_empty() {
        let names: Vec<&str> = watch.stormy.iter().copied().collect();
        let why = format!(
            "{} came more than {} times from one place; after that one in 16 was looked at, the others counted",
            names.join(", "),
            watch.limits.storm
        );
        gaps.push(Gap::new("sizes and latencies of every single call", why, None));
    }
    for beyond in &watch.beyond {
        gaps.push(match beyond {
            Beyond::IoUring => {
                let why = "the target uses io_uring or aio, whose operations are no system calls";
                Gap::new("asynchronous reads and writes", why, None)
            }
            Beyond::Ptrace => {
                let why = "the target traces other processes, which a traced program cannot: it was refused";
                Gap::new("what the target does as a tracer", why, None)
            }
        });
    }
    if watch.book.dropped > 0 {
        let why = format!("{} messages did not fit", watch.book.dropped);
        gaps.push(Gap::new("statements of every message", why, None));
    }
    gaps
}

/// The name of an error number.
fn error_name(number: i64) -> String {
    const NAMES: [(i32, &str); 34] = [
        (libc::EPERM, "EPERM"),
        (libc::ENOENT, "ENOENT"),
        (libc::EINTR, "EINTR"),
        (libc::EIO, "EIO"),
        (libc::EBADF, "EBADF"),
        (libc::EAGAIN, "EAGAIN"),
        (libc::ENOMEM, "ENOMEM"),
        (libc::EACCES, "EACCES"),
        (libc::EFAULT, "EFAULT"),
        (libc::EBUSY, "EBUSY"),
        (libc::EEXIST, "EEXIST"),
        (libc::ENOTDIR, "ENOTDIR"),
        (libc::EISDIR, "EISDIR"),
        (libc::EINVAL, "EINVAL"),
        (libc::EMFILE, "EMFILE"),
        (libc::ENOTTY, "ENOTTY"),
        (libc::EFBIG, "EFBIG"),
        (libc::ENOSPC, "ENOSPC"),
        (libc::ESPIPE, "ESPIPE"),
        (libc::EROFS, "EROFS"),
        (libc::EPIPE, "EPIPE"),
        (libc::ENAMETOOLONG, "ENAMETOOLONG"),
        (libc::ENOSYS, "ENOSYS"),
        (libc::ELOOP, "ELOOP"),
        (libc::ENOTSOCK, "ENOTSOCK"),
        (libc::EOPNOTSUPP, "EOPNOTSUPP"),
        (libc::ENETUNREACH, "ENETUNREACH"),
        (libc::ECONNABORTED, "ECONNABORTED"),
        (libc::ECONNRESET, "ECONNRESET"),
        (libc::ENOTCONN, "ENOTCONN"),
        (libc::ETIMEDOUT, "ETIMEDOUT"),
        (libc::ECONNREFUSED, "ECONNREFUSED"),
        (libc::EHOSTUNREACH, "EHOSTUNREACH"),
        (libc::EINPROGRESS, "EINPROGRESS"),
    ];
    let known = NAMES.iter().find(|(of, _)| i64::from(*of) == number);
    known.map_or_else(|| number.to_string(), |(_, name)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_everywhere_answers_everywhere() {
        assert!(is_same("127.0.0.1:80", "127.0.0.1:80"));
        assert!(is_same("0.0.0.0:80", "127.0.0.1:80"));
        assert!(is_same("[::]:80", "[::1]:80"));
        assert!(!is_same("0.0.0.0:80", "127.0.0.1:8080"));
        assert!(!is_same("127.0.0.1:80", "127.0.0.2:80"));
    }

    #[test]
    fn an_unknown_error_keeps_its_number() {
        assert_eq!(error_name(2), "ENOENT");
        assert_eq!(error_name(524), "524");
    }
}
