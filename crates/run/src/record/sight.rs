//! Calls that threads wait in, what they are made on, and the stacks they were seen with.
//!
//! A stack is not copied for each wait. While a thread is blocked its stack stands still, so a look at each tick finds
//! it; the stack is kept under the call, its return address and the stack pointer, and every other wait of that process
//! with the same three gets it. The looks come at moments of time, so places are found in proportion to the time spent
//! waiting in them.

use std::collections::{HashMap, HashSet};

use model::recording::{Call, EXPIRED, Object, TIMED};

use super::assemble::index;
use super::memory::read_memory;
use super::objects::Objects;
use super::subject::{Subject, subject, waits_for};
use super::syscalls::Syscall;
use super::thread::InCall;

/// Descriptors of one poll that are looked at.
const POLLED: usize = 64;

/// A place that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    pid: u32,
    call: Syscall,
    ip: u64,
    sp: u64,
}

/// A call with its object, and the place it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// Position in the table of calls.
    pub(super) call: u32,
    /// Position in the table of places.
    pub(super) place: u32,
}

#[derive(Debug)]
pub(super) struct Sights {
    pub(super) objects: Objects,
    object_table: Vec<Object>,
    object_index: HashMap<Object, u32>,
    call_table: Vec<Call>,
    call_index: HashMap<Call, u32>,
    place_index: HashMap<Key, u32>,
    /// The call last made at a place: process, return address, stack pointer.
    made: HashMap<(u32, u64, u64), Syscall>,
    /// The raw stack of each place, once it was seen.
    stacks: Vec<Option<u32>>,
    /// Places whose stack was undone without a frame pointer, which generated code needs: the next look may tell more.
    blind: HashSet<u32>,
}

impl Sights {
    pub(super) fn new() -> Self {
        Self {
            objects: Objects::new(),
            object_table: Vec::new(),
            object_index: HashMap::new(),
            call_table: Vec::new(),
            call_index: HashMap::new(),
            place_index: HashMap::new(),
            made: HashMap::new(),
            stacks: Vec::new(),
            blind: HashSet::new(),
        }
    }

    /// The call with its object as it is now, and the place.
    pub(super) fn of(&mut self, pid: u32, process: u32, at: u64, call: &InCall) -> Sight {
        let object = self.object(pid, process, at, call);
        let name = call.call.name().map_or_else(|| format!("call {}", call.call.0), str::to_owned);
        let timed = matches!(subject(call.call, &call.arguments), Subject::Word { timed: true, .. });
        let detail = timed.then(|| TIMED.to_owned());
        Sight { call: self.detailed(&name, object, detail), place: self.place(pid, call) }
    }

    fn object(&mut self, pid: u32, process: u32, at: u64, call: &InCall) -> Option<Object> {
        match subject(call.call, &call.arguments) {
            Subject::Descriptor(fd) => {
                self.objects.of_fd(pid, fd, at).filter(|object| waits_for(call.call, object))
            }
            Subject::Word { address, .. } => Some(Object::Lock { process, address }),
            Subject::Child(pid) => Some(Object::Child { pid }),
            Subject::Polled { address, length } => {
                self.watched(pid, length == 0, &polled(pid, address, length), at)
            }
            Subject::Selected { sets, length } => {
                let is_empty = length == 0 || sets == [0; 3];
                let mut fds: Vec<i32> =
                    sets.iter().flat_map(|address| selected(pid, *address, length)).collect();
                fds.sort_unstable();
                fds.dedup();
                fds.truncate(POLLED);
                self.watched(pid, is_empty, &fds, at)
            }
            Subject::Nothing => None,
        }
    }

    /// What `poll` and `select` wait for. Who watches nothing only lets time pass.
    fn watched(&mut self, pid: u32, is_empty: bool, fds: &[i32], at: u64) -> Option<Object> {
        match fds {
            [] => is_empty.then(|| Object::Set { members: Vec::new() }),
            fds => self.objects.of_poll(pid, fds, at),
        }
    }

    pub(super) fn call(&mut self, name: &str, object: Option<Object>) -> u32 {
        self.detailed(name, object, None)
    }

    fn detailed(&mut self, name: &str, object: Option<Object>, detail: Option<String>) -> u32 {
        let object = object.map(|object| self.object_position(object));
        let call = Call { name: name.to_owned(), object, detail };
        if let Some(known) = self.call_index.get(&call) {
            return *known;
        }
        let position = index(self.call_table.len());
        self.call_table.push(call.clone());
        self.call_index.insert(call, position);
        position
    }

    /// The same call made on this.
    pub(super) fn same_call(&mut self, call: u32, object: Object) -> u32 {
        let Some(name) = self.call_table.get(call as usize).map(|call| call.name.clone()) else {
            return call;
        };
        self.call(&name, Some(object))
    }

    /// The same call, when its time limit was up.
    pub(super) fn expired(&mut self, call: u32) -> u32 {
        let Some(Call { name, object, .. }) = self.call_table.get(call as usize).cloned() else {
            return call;
        };
        let object = object.and_then(|object| self.object_table.get(object as usize).cloned());
        self.detailed(&name, object, Some(EXPIRED.to_owned()))
    }

    fn object_position(&mut self, object: Object) -> u32 {
        if let Some(known) = self.object_index.get(&object) {
            return *known;
        }
        let position = index(self.object_table.len());
        self.object_table.push(object.clone());
        self.object_index.insert(object, position);
        position
    }

    fn place(&mut self, pid: u32, call: &InCall) -> u32 {
        let key = Key { pid, call: call.call, ip: call.registers.ip, sp: call.registers.sp };
        self.made.insert((pid, key.ip, key.sp), key.call);
        *self.place_index.entry(key).or_insert_with(|| {
            self.stacks.push(None);
            index(self.stacks.len() - 1)
        })
    }

    /// A call with a time limit that a signal or a tracer interrupted goes on under another number, with the same arguments:
    /// the call that it was.
    pub(super) fn begun(&self, pid: u32, call: InCall) -> InCall {
        let restarted = call.call.name() == Some("restart_syscall");
        let place = (pid, call.registers.ip, call.registers.sp);
        match self.made.get(&place).filter(|_| restarted) {
            Some(before) => InCall { call: *before, ..call },
            None => call,
        }
    }

    pub(super) fn object_of(&self, call: u32) -> Option<&Object> {
        let object = self.call_table.get(call as usize)?.object?;
        self.object_table.get(object as usize)
    }

    /// Whether the stack of a place should be read by a look at this call.
    pub(super) fn wants(&self, place: u32, call: &InCall) -> bool {
        self.stack_of(place).is_none() || call.registers.bp != 0 && self.blind.contains(&place)
    }

    /// The raw stack of a place, once somebody saw it.
    pub(super) fn stack_of(&self, place: u32) -> Option<u32> {
        self.stacks.get(place as usize).copied().flatten()
    }

    pub(super) fn learn(&mut self, place: u32, stack: u32, call: &InCall) {
        if call.registers.bp == 0 {
            self.blind.insert(place);
        } else {
            self.blind.remove(&place);
        }
        if let Some(slot) = self.stacks.get_mut(place as usize) {
            *slot = Some(stack);
        }
    }

    pub(super) fn tables(self) -> (Vec<Object>, Vec<Call>) {
        (self.object_table, self.call_table)
    }
}

/// The descriptors of an array of `struct pollfd`.
fn polled(pid: u32, address: u64, length: u64) -> Vec<i32> {
    let length = usize::try_from(length).unwrap_or(POLLED).min(POLLED);
    let mut bytes = vec![0; length * 8];
    let read = read_memory(pid, address, &mut bytes);
    let entries = bytes.get(..read).unwrap_or_default().as_chunks::<8>().0;
    let fds = entries.iter().filter_map(|entry| entry.first_chunk().map(|fd| i32::from_ne_bytes(*fd)));
    fds.filter(|fd| *fd >= 0).collect()
}

/// The descriptors whose bits are set.
fn selected(pid: u32, address: u64, length: u64) -> Vec<i32> {
    let length = i32::try_from(length).unwrap_or(0).min(1024);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(0).div_ceil(8)];
    if address == 0 || read_memory(pid, address, &mut bytes) < bytes.len() {
        return Vec::new();
    }
    let bit = |fd: &i32| {
        let (byte, bit) = (fd / 8, fd % 8);
        usize::try_from(byte).ok().and_then(|byte| bytes.get(byte)).is_some_and(|byte| byte >> bit & 1 != 0)
    };
    (0..length).filter(bit).take(POLLED).collect()
}
