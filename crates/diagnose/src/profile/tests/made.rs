//! Recordings made by hand. Times are in milliseconds.

use model::Nanos;
use model::answer::Account;
use model::doctor::Level;
use model::profile::{Profile, ThreadAccount};
use model::recording::{
    Call, Frame, Hit, Language, Module, Node, Object, Owner, Process, Recording, Source, Thread, Wait,
    Weight, Why,
};

use super::super::{Context, profile};

pub(crate) fn ms(millis: u64) -> Nanos {
    Nanos::from_nanos(millis * 1_000_000)
}

pub(crate) struct Made(pub(crate) Recording);

impl Made {
    /// One process `main` with one thread that lives from 0 to `wall`.
    pub(crate) fn new(level: Level, wall: u64) -> Self {
        let mut recording = Recording::new(Source::Slowpath(level), Weight::CpuTime);
        recording.wall = Some(ms(wall));
        recording.period = Some(ms(1));
        recording.modules.push(Module { path: "/usr/lib/libc.so.6".to_owned(), build_id: None });
        let mut made = Self(recording);
        made.process("main", None, 0, wall);
        made
    }

    /// A process with its main thread; both have the same position.
    pub(crate) fn process(&mut self, name: &str, parent: Option<u32>, from: u64, to: u64) -> u32 {
        let index = self.0.processes.len() as u32;
        self.0.processes.push(Process {
            pid: 100 + index,
            parent,
            name: name.to_owned(),
            program: None,
            argv: Vec::new(),
            from: ms(from),
            to: Some(ms(to)),
            runtime: None,
            shows_collector: false,
            loaded: None,
        });
        self.thread(index, 100 + index, name, from, to)
    }

    pub(crate) fn thread(&mut self, process: u32, tid: u32, name: &str, from: u64, to: u64) -> u32 {
        self.0.threads.push(Thread {
            tid,
            process,
            name: name.to_owned(),
            from: ms(from),
            to: Some(ms(to)),
            on_cpu: None,
            scheduler_on_cpu: None,
            queued: None,
            user: None,
            system: None,
            out_of_sight: None,
            period: None,
            interpreter_lock: None,
        });
        self.0.threads.len() as u32 - 1
    }

    /// A stack from its outermost function; `p:`, `k:` and `c:` make a frame the project's, the kernel's, libc's, and
    /// `@7` puts it on line 7.
    pub(crate) fn stack(&mut self, functions: &[&str]) -> u32 {
        let mut parent = None;
        for text in functions {
            let (text, line) = match text.split_once('@') {
                Some((text, line)) => (text, line.parse().ok()),
                None => (*text, None),
            };
            let (kind, name) =
                text.split_once(':').filter(|(kind, _)| kind.len() == 1).unwrap_or(("l", text));
            let (language, owner, module) = match kind {
                "p" => (Language::C, Owner::Project, None),
                "k" => (Language::Kernel, Owner::Kernel, None),
                "c" => (Language::C, Owner::Library, Some(0)),
                _ => (Language::C, Owner::Library, None),
            };
            let frame = Frame {
                language,
                function: Some(name.to_owned()),
                file: None,
                line,
                module,
                offset: None,
                is_start: false,
                inlined: false,
                owner,
            };
            let frames = &mut self.0.frames;
            let frame = frames.iter().position(|known| *known == frame).unwrap_or_else(|| {
                frames.push(frame);
                frames.len() - 1
            });
            let node = Node { parent, frame: frame as u32 };
            let nodes = &mut self.0.nodes;
            let index = nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            });
            parent = Some(index as u32);
        }
        parent.unwrap()
    }

    pub(crate) fn call(&mut self, name: &str, object: Option<Object>) -> u32 {
        let object = object.map(|object| {
            let known = self.0.objects.iter().position(|known| *known == object);
            known.unwrap_or_else(|| {
                self.0.objects.push(object);
                self.0.objects.len() - 1
            }) as u32
        });
        let call = Call { name: name.to_owned(), object, detail: None };
        let known = self.0.calls.iter().position(|known| *known == call);
        known.unwrap_or_else(|| {
            self.0.calls.push(call);
            self.0.calls.len() - 1
        }) as u32
    }

    /// A wait outside any call.
    pub(crate) fn wait(&mut self, thread: u32, from: u64, to: u64, why: Why) -> &mut Wait {
        self.0.waits.push(Wait {
            thread,
            from: ms(from),
            to: ms(to),
            woken: None,
            why,
            call: None,
            stack: None,
            by: None,
            holder: None,
            cpu: None,
        });
        self.0.waits.last_mut().unwrap()
    }

    /// A wait in a call.
    pub(crate) fn blocked(
        &mut self,
        thread: u32,
        from: u64,
        to: u64,
        name: &str,
        on: Option<Object>,
    ) -> &mut Wait {
        let call = self.call(name, on);
        let wait = self.wait(thread, from, to, Why::Call);
        wait.call = Some(call);
        wait
    }

    /// A wait that `by` ended at its end.
    pub(crate) fn woken(&mut self, thread: u32, from: u64, to: u64, name: &str, on: Option<Object>, by: u32) {
        let wait = self.blocked(thread, from, to, name, on);
        wait.woken = Some(ms(to));
        wait.by = Some(by);
    }

    /// A hit every millisecond.
    pub(crate) fn hits(&mut self, thread: u32, from: u64, to: u64, stack: u32) {
        for at in from..to {
            self.0.hits.push(Hit { at: ms(at), thread, stack: Some(stack), weight: 1_000_000 });
        }
    }

    pub(crate) fn profile(&mut self) -> Profile {
        self.profile_in(&Context::default())
    }

    pub(crate) fn profile_in(&mut self, context: &Context) -> Profile {
        self.0.waits.sort_by_key(|wait| wait.to);
        self.0.hits.sort_by_key(|hit| hit.at);
        let profile = profile(&self.0, context);
        assert_closed(&self.0, &profile);
        profile
    }
}

/// Every account adds up, and every share is one.
pub(crate) fn assert_closed(recording: &Recording, profile: &Profile) {
    for thread in &profile.threads {
        let life = thread.to.as_secs_f64() - thread.from.as_secs_f64();
        assert_adds_up(&thread.account, life);
        assert!(thread.idle_s >= 0.0 && thread.idle_s <= life * (1.0 + 1e-9) + 1e-9, "{thread:?}");
    }
    if let (Some(account), Some(wall)) = (&profile.account, recording.wall) {
        assert_adds_up(account, wall.as_secs_f64());
    }
    let is_share = |value: f64| (0.0..=1.0).contains(&value);
    for hotspot in &profile.hotspots {
        for share in [hotspot.own, hotspot.total] {
            assert!(is_share(share.low) && share.low <= share.value, "{hotspot:?}");
            assert!(is_share(share.high) && share.value <= share.high, "{hotspot:?}");
        }
        assert!(hotspot.ceiling.is_none_or(|ceiling| ceiling >= 1.0), "{hotspot:?}");
        assert!(hotspot.lines.iter().all(|line| is_share(line.share)), "{hotspot:?}");
    }
    let mut nodes: Vec<_> = profile.tree.iter().collect();
    while let Some(node) = nodes.pop() {
        assert!(is_share(node.total) && node.own <= node.total + 1e-12, "{:?}", node.place);
        nodes.extend(&node.children);
    }
    for site in &profile.waits {
        assert!(site.longest_s <= site.seconds * (1.0 + 1e-9), "{site:?}");
    }
}

fn assert_adds_up(account: &Account, whole: f64) {
    let leaves: f64 = account.leaves.iter().map(|leaf| leaf.seconds).sum();
    let sum = leaves + account.unaccounted * whole;
    assert!((sum - whole).abs() <= whole * 1e-9 + 1e-9, "{sum} of {whole}: {account:?}");
    for leaf in &account.leaves {
        assert!((0.0..=1.0 + 1e-12).contains(&leaf.share), "{leaf:?}");
        let parts: f64 = leaf.parts.iter().map(|part| part.seconds).sum();
        assert!(leaf.parts.is_empty() || (parts - leaf.seconds).abs() <= leaf.seconds * 1e-9, "{leaf:?}");
    }
}

/// Milliseconds of a leaf; the unaccounted rest goes by that name.
pub(crate) fn leaf(account: &Account, id: &str) -> f64 {
    let whole: f64 =
        account.leaves.iter().map(|leaf| leaf.seconds).sum::<f64>() / (1.0 - account.unaccounted);
    let seconds = if id == "unaccounted" {
        account.unaccounted * whole
    } else {
        account.leaves.iter().filter(|leaf| leaf.leaf == id).map(|leaf| leaf.seconds).sum()
    };
    (seconds * 1e6).round() / 1e3
}

/// Every leaf of an account with its milliseconds.
pub(crate) fn leaves(account: &Account) -> Vec<(&str, f64)> {
    account.leaves.iter().map(|of| (of.leaf.as_str(), leaf(account, &of.leaf))).collect()
}

/// Parts of a leaf with their milliseconds.
pub(crate) fn parts<'a>(account: &'a Account, id: &str) -> Vec<(&'a str, f64)> {
    let leaf = account.leaves.iter().find(|leaf| leaf.leaf == id);
    let parts = leaf.into_iter().flat_map(|leaf| &leaf.parts);
    parts.map(|part| (part.what.as_str(), (part.seconds * 1e6).round() / 1e3)).collect()
}

pub(crate) fn thread<'a>(profile: &'a Profile, name: &str) -> &'a ThreadAccount {
    profile.threads.iter().find(|thread| thread.name == name).unwrap()
}

pub(crate) fn file(path: &str) -> Option<Object> {
    Some(Object::File { path: path.to_owned() })
}

pub(crate) fn lock(address: u64) -> Option<Object> {
    Some(Object::Lock { process: 0, address })
}

pub(crate) fn socket(family: &str, peer: Option<&str>, local_peer: Option<u32>) -> Option<Object> {
    Some(Object::Socket { family: family.to_owned(), peer: peer.map(str::to_owned), local_peer, inode: 9 })
}
