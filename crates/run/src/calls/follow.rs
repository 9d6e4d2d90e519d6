//! What one call does: looked at when it begins, booked when it ends.

use model::Nanos;
use model::calls::{Direction, Message, On, Role};

use super::act::{Act, Offset, Purpose, Shape, Way};
use super::book::Outcome;
use super::pointed;
use super::tree::{Open, Pending, descriptor, position, size};
use super::watch::Watch;
use crate::record::objects::local_address;

/// Of what is received, these first bytes tell enough: a status line, a kind, a number.
const ANSWER: usize = 64;

/// First bytes of a file, by which its format is recognised.
const HEAD: usize = 16;

/// Results that only the kernel sees: the call is made again, or was cut short and goes on as another one.
const RESTARTS: std::ops::RangeInclusive<i64> = -514..=-512;
const RESTARTS_AS_ANOTHER: i64 = -516;

impl Watch {
    /// Finds what a call is made on, and what it sends.
    pub(super) fn begins(&mut self, pid: u32, call: &mut Pending, now: u64) {
        let argument = |at: usize| call.arguments.get(at).copied().unwrap_or(0);
        match call.act {
            Act::Move { way, shape, .. } => {
                call.on = self.on(pid, call.fd(), now);
                if way == Way::Out && matches!(call.on, Some(On::Peer(_))) {
                    self.addresses(pid, call);
                    let most = self.limits.payload;
                    call.bytes = pointed::payload(pid, shape, &call.arguments, u64::MAX, most);
                }
            }
            Act::Copy { to, .. } => call.on = self.on(pid, descriptor(argument(to)), now),
            Act::Path { folder, path, purpose } => {
                let folder = folder.map(|at| descriptor(argument(at)));
                let text = pointed::text(pid, argument(path));
                call.path = text.as_ref().and_then(|text| self.tree.absolute(pid, folder, text));
                // An empty path means the folder's own descriptor.
                let of_descriptor = call.path.is_none() && text.is_some_and(|text| text.is_empty());
                call.on = match (&call.path, folder.filter(|_| of_descriptor)) {
                    (None, Some(fd)) => self.on(pid, fd, now),
                    // Which file is opened is known when it is.
                    (Some(path), _) if purpose != Purpose::Open => Some(On::File(self.book.file(path))),
                    _ => None,
                };
            }
            Act::StatDescriptor | Act::Sync | Act::Seek | Act::Other => {
                call.on = self.on(pid, call.fd(), now)
            }
            Act::Close => self.closes(pid, call),
            Act::CloseRange => self.tree.close_range(pid, argument(0), argument(1)),
            Act::Replace => {
                self.tree.close(pid, descriptor(argument(1)));
            }
            Act::Connect => {
                let address = pointed::socket_address(pid, argument(1), argument(2));
                if let Some(family) = self.tree.family(pid, call.fd(), now) {
                    call.on = Some(On::Peer(self.book.peer(&family, address.as_deref(), Role::Asks)));
                }
            }
            Act::Accept => call.on = Some(self.clients(pid, call.fd(), now)),
            Act::Map => self.maps(pid, call, now),
            Act::Sleep | Act::Ask | Act::Ready | Act::Folder | Act::Beyond(_) => {}
        }
    }

    /// A datagram may be sent to another peer each time.
    fn addresses(&mut self, pid: u32, call: &mut Pending) {
        let [.., address, length] = call.arguments;
        let Some(On::Peer(at)) = call.on.filter(|_| call.name == "sendto" && address != 0) else { return };
        let family = self.book.peers.get(at as usize).map(|peer| peer.family.clone());
        let address = pointed::socket_address(pid, address, length);
        if let (Some(family), Some(address)) = (family, address) {
            call.on = Some(On::Peer(self.book.peer(&family, Some(&address), Role::Asks)));
        }
    }

    /// Whom a listening socket serves.
    fn clients(&mut self, pid: u32, fd: i32, now: u64) -> On {
        if let Some(on @ On::Peer(_)) =
            self.tree.open(pid, fd).filter(|open| open.listens).and_then(|open| open.on)
        {
            return on;
        }
        let family = self.tree.family(pid, fd, now).unwrap_or_else(|| "unknown".to_owned());
        let address = local_address(pid, fd);
        let on = On::Peer(self.book.peer(&family, address.as_deref(), Role::Answers));
        let open = Open { listens: true, connection: None, ..connected(Some(on), 0) };
        self.tree.put(pid, fd, open);
        on
    }

    fn closes(&mut self, pid: u32, call: &mut Pending) {
        let fd = call.fd();
        let Some(open) = self.tree.close(pid, fd) else { return };
        call.on = open.on;
        if open.connection.is_some() {
            self.book.closed(open.on);
        }
        if open.is_file
            && let Some(file) = self.book.file_at(open.on).filter(|file| file.told.writes > 0)
        {
            file.told.size = size(pid, fd).or(file.told.size);
        }
    }

    fn maps(&mut self, pid: u32, call: &mut Pending, now: u64) {
        let [_, _, protection, _, fd, _] = call.arguments;
        call.on = self.on(pid, descriptor(fd), now);
        let Some(file) = self.book.file_at(call.on) else { return };
        file.told.maps += 1;
        let code = protection & libc::PROT_EXEC as u64 != 0;
        self.places.path(pid, file.told.path.as_bytes());
        self.places.mapped(pid, code);
    }

    /// Books a call that ended.
    pub(super) fn ends(&mut self, pid: u32, tid: i32, mut call: Pending, result: i64, now: u64) {
        if RESTARTS.contains(&result) {
            return;
        }
        let result = if result == RESTARTS_AS_ANOTHER { -i64::from(libc::EINTR) } else { result };
        let spent = now.saturating_sub(call.entered);
        // These tell how many messages, not how many bytes.
        let result = match call.act {
            Act::Move { shape: Shape::Headers, .. } if result > 0 => {
                let bytes = pointed::lengths(pid, call.arguments[1], result.unsigned_abs());
                i64::try_from(bytes).unwrap_or(i64::MAX)
            }
            _ => result,
        };
        let mut outcome = Outcome {
            spent,
            result,
            requested: None,
            moved: None,
            sequential: None,
            overlapping: None,
            reread: None,
        };
        match call.act {
            Act::Move { way, shape, offset } => {
                outcome.requested = (shape == Shape::Buffer).then_some(call.arguments[2]);
                self.moves(pid, &call, way, offset, &mut outcome);
            }
            Act::Copy { from, .. } => self.copies(pid, &call, from, now, &mut outcome),
            Act::Path { purpose, .. } => {
                if purpose == Purpose::Open {
                    self.opens(pid, &mut call, result, now);
                }
                self.book.named(call.on, purpose, result < 0);
            }
            Act::StatDescriptor => self.book.named(call.on, Purpose::Stat, result < 0),
            Act::Sync => {
                if let Some(file) = self.book.file_at(call.on) {
                    file.told.syncs += 1;
                    file.told.sync = file.told.sync.plus(Nanos::from_nanos(spent)).unwrap_or(file.told.sync);
                }
            }
            Act::Seek => {
                let to = u64::try_from(result).ok();
                if let (Some(open), Some(to)) = (self.tree.open(pid, call.fd()), to) {
                    open.position = (!open.appends).then_some(to);
                }
            }
            Act::Connect => self.connects(pid, &call, result),
            Act::Accept => self.accepts(pid, &call, result),
            Act::Sleep => {
                if let Some(thread) = self.tree.threads.get_mut(&tid) {
                    thread.slept = (thread.slept.0 + 1, thread.slept.1 + spent);
                }
            }
            Act::Folder => self.tree.moved_folder(pid),
            _ => {}
        }
        if let Act::Move { way, .. } = call.act {
            self.tell(pid, tid, &mut call, way, result, now);
        }
        self.book.add((call.name, call.on, call.stack), &outcome);
    }

    fn moves(&mut self, pid: u32, call: &Pending, way: Way, offset: Offset, outcome: &mut Outcome) {
        let Ok(bytes) = u64::try_from(outcome.result) else { return };
        outcome.moved = Some(bytes);
        let fd = call.fd();
        let mut at = None;
        if let Some(open) = self.tree.open(pid, fd).filter(|open| open.is_file) {
            let own = matches!(offset, Offset::Own);
            at = match offset {
                Offset::Argument(argument) => call.arguments.get(argument).copied(),
                Offset::Own => open.position.or_else(|| position(pid, fd)?.checked_sub(bytes)),
            };
            let end = at.map(|at| at + bytes);
            outcome.sequential = at.zip(open.expected).map(|(at, expected)| at == expected);
            let last = open.last.zip(open.expected);
            outcome.overlapping = at.zip(last).map(|(at, (last, end))| last < at && at < end);
            (open.last, open.expected) = (at, end);
            if own {
                open.position = end;
            }
        }
        outcome.reread = self.book.moved(call.on, way, at, bytes);
        if at == Some(0) && bytes >= HEAD as u64 {
            self.note_head(pid, call, bytes);
        }
    }

    fn note_head(&mut self, pid: u32, call: &Pending, bytes: u64) {
        let Act::Move { shape, .. } = call.act else { return };
        let Some(file) = self.book.file_at(call.on).filter(|file| file.told.head.is_none()) else { return };
        let head = pointed::payload(pid, shape, &call.arguments, bytes, HEAD);
        file.told.head = Some(head.iter().map(|byte| format!("{byte:02x}")).collect());
    }

    /// From one descriptor to another inside the kernel.
    fn copies(&mut self, pid: u32, call: &Pending, from: usize, now: u64, outcome: &mut Outcome) {
        let Ok(bytes) = u64::try_from(outcome.result) else { return };
        outcome.moved = Some(bytes);
        let source = descriptor(call.arguments.get(from).copied().unwrap_or(0));
        let given = call.arguments.get(from + 1).copied().filter(|_| call.name != "sendfile");
        let given = given.or_else(|| call.arguments.get(2).copied()).unwrap_or(0);
        let read = self.on(pid, source, now);
        // Where an offset is given, it lies in memory and has moved on already: not followed.
        let at = if given == 0 { position(pid, source).and_then(|end| end.checked_sub(bytes)) } else { None };
        if let Some(open) = self.tree.open(pid, source).filter(|_| given == 0) {
            open.position = at.map(|at| at + bytes);
        }
        outcome.reread = self.book.moved(read, Way::In, at, bytes);
        if let Some(open) = self.tree.open(pid, descriptor(call.arguments.first().copied().unwrap_or(0))) {
            open.position = None;
        }
        self.book.moved(call.on, Way::Out, None, bytes);
    }

    fn opens(&mut self, pid: u32, call: &mut Pending, result: i64, now: u64) {
        let Ok(fd) = i32::try_from(result) else { return };
        if fd < 0 {
            call.on = call.path.as_ref().map(|path| On::File(self.book.file(path)));
            return;
        }
        self.tree.close(pid, fd);
        call.on = self.on(pid, fd, now);
        let flags = match (call.act, call.name) {
            (_, "openat2" | "creat") => 0,
            (Act::Path { path, .. }, _) => call.arguments.get(path + 1).copied().unwrap_or(0),
            _ => 0,
        };
        let appends = flags & libc::O_APPEND as u64 != 0;
        if let Some(open) = self.tree.open(pid, fd).filter(|open| open.is_file) {
            open.appends = appends;
            (open.position, open.expected) = if appends { (None, None) } else { (Some(0), Some(0)) };
            if let Some(file) = self.book.file_at(call.on) {
                file.told.size = size(pid, fd).or(file.told.size);
            }
        }
    }

    fn connects(&mut self, pid: u32, call: &Pending, result: i64) {
        let begun = result == 0 || result == -i64::from(libc::EINPROGRESS);
        // Programs that do not wait for it ask again whether it is there.
        let open = self.tree.open(pid, call.fd());
        if open.is_some_and(|open| open.on == call.on && open.connection.is_some()) {
            return;
        }
        let again = begun && self.book.is_again(call.on);
        if let Some(peer) = self.book.peer_at(call.on) {
            peer.connections += u64::from(begun);
            peer.again += u64::from(again);
            peer.refused += u64::from(!begun);
        }
        self.tree.close(pid, call.fd());
        if begun {
            let connection = self.tree.connection();
            self.tree.put(pid, call.fd(), connected(call.on, connection));
        }
    }

    fn accepts(&mut self, pid: u32, call: &Pending, result: i64) {
        let Some(fd) = i32::try_from(result).ok().filter(|fd| *fd >= 0) else { return };
        let index = self.tree.processes.get(&pid).map(|process| process.index);
        if let Some(peer) = self.book.peer_at(call.on) {
            peer.connections += 1;
            // Here it is the listener's own process that is known.
            peer.process = peer.process.or(index);
        }
        let connection = self.tree.connection();
        self.tree.put(pid, fd, connected(call.on, connection));
    }

    /// Keeps what was said to or by a peer.
    fn tell(&mut self, pid: u32, tid: i32, call: &mut Pending, way: Way, result: i64, now: u64) {
        let (Some(On::Peer(at)), Ok(length), Act::Move { shape, .. }) =
            (call.on, u64::try_from(result), call.act)
        else {
            return;
        };
        let role = self.book.peers.get(at as usize).map(|peer| peer.role);
        let asks = matches!((role, way), (Some(Role::Asks), Way::Out) | (Some(Role::Answers), Way::In));
        if way == Way::Out && role == Some(Role::Asks) {
            self.asked(tid, at);
        }
        let most = if asks { self.limits.payload } else { ANSWER };
        let (bytes, direction) = match way {
            Way::In => (pointed::payload(pid, shape, &call.arguments, length, most), Direction::Received),
            Way::Out => (std::mem::take(&mut call.bytes), Direction::Sent),
        };
        let mut bytes = bytes;
        bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX).min(most));
        let connection = self.tree.open(pid, call.fd()).and_then(|open| open.connection);
        let Some(connection) = connection else { return };
        if role == Some(Role::Asks) {
            match way {
                Way::Out => self.book.stalls.sent(connection, length, call.stack, now),
                Way::In => self.book.stalls.received(connection, at, now),
            }
        }
        let polled = self.tree.threads.get_mut(&tid).and_then(|thread| thread.polled.take());
        // Who waits until an answer is there before it takes it waited for the answer.
        let waited = polled.filter(|_| role == Some(Role::Asks) && way == Way::In);
        let from = Nanos::from_nanos(waited.unwrap_or(call.entered));
        let to = Nanos::from_nanos(now);
        self.book.keep(Message {
            peer: at,
            connection,
            direction,
            from,
            to,
            bytes,
            length,
            stack: call.stack,
        });
    }

    /// Sleeps between two requests of a thread to the same peer are told with the peer.
    fn asked(&mut self, tid: i32, peer: u32) {
        let Some(thread) = self.tree.threads.get_mut(&tid) else { return };
        let (count, spent) = std::mem::take(&mut thread.slept);
        if thread.asked.replace(peer) == Some(peer)
            && let Some(peer) = self.book.peers.get_mut(peer as usize)
        {
            peer.sleeps += count;
            peer.slept = peer.slept.plus(Nanos::from_nanos(spent)).unwrap_or(peer.slept);
        }
    }
}

fn connected(on: Option<On>, connection: u64) -> Open {
    Open {
        on,
        is_file: false,
        position: None,
        appends: false,
        expected: None,
        last: None,
        connection: Some(connection),
        listens: false,
    }
}
