//! Looks at descriptors of real processes.

use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command, Stdio};

use super::*;

fn us() -> u32 {
    std::process::id()
}

fn look(fd: &impl AsRawFd) -> Object {
    Objects::new().of_fd(us(), fd.as_raw_fd(), 0).unwrap()
}

/// SAFETY of all callers: the result of a call that opens a new descriptor.
fn own(fd: libc::c_int) -> OwnedFd {
    assert!(fd >= 0);
    // SAFETY: new, and nobody else's.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// `cat` with one end of a connection as its input; it is ready once it has echoed.
fn cat(end: impl Into<Stdio>) -> Child {
    Command::new("cat").stdin(end).stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn files_directories_and_devices_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a file");
    let file = File::create(&path).unwrap();
    assert_eq!(look(&file), Object::File { path: path.to_str().unwrap().to_owned() });
    let directory = File::open(folder.path()).unwrap();
    assert_eq!(look(&directory), Object::Directory { path: folder.path().to_str().unwrap().to_owned() });
    let device = File::open("/dev/null").unwrap();
    assert_eq!(look(&device), Object::Device { path: "/dev/null".to_owned() });
    drop(file);
}

#[test]
fn pipes_events_timers_and_children_are_recognised() {
    let (reader, writer) = std::io::pipe().unwrap();
    assert!(matches!(look(&reader), Object::Pipe { inode } if inode > 0));
    assert_eq!(look(&reader), look(&writer));
    // SAFETY: integers only.
    let event = own(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) });
    assert_eq!(look(&event), Object::Event);
    // SAFETY: integers only.
    let timer = own(unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, libc::TFD_CLOEXEC) });
    assert_eq!(look(&timer), Object::Timer);
    // SAFETY: integers only.
    let process = own(unsafe { libc::syscall(libc::SYS_pidfd_open, us(), 0) } as libc::c_int);
    assert_eq!(look(&process), Object::Child { pid: Some(us()) });
}

#[test]
fn a_closed_descriptor_is_none_and_a_process_that_ended_had_what_was_seen_last() {
    let (reader, _writer) = std::io::pipe().unwrap();
    let number = reader.as_raw_fd();
    let mut objects = Objects::new();
    assert!(objects.of_fd(us(), number, 0).is_some());
    drop(reader);
    // Another test may have opened something under the same number, but not this pipe.
    let mut child = cat(Stdio::piped());
    let pid = child.id();
    let pipe = objects.of_fd(pid, 0, 0);
    assert!(matches!(pipe, Some(Object::Pipe { .. })));
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(objects.of_fd(pid, 0, PRESENT), pipe);
    assert_eq!(objects.of_fd(pid, 1, PRESENT), None);
    assert_eq!(objects.of_fd(pid, -1, 0), None);
    objects.remove_process(pid);
    assert_eq!(objects.of_fd(pid, 0, PRESENT), None);
}

#[test]
fn a_number_used_anew_is_the_other_object_from_then_on_and_between_the_looks_neither() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name| File::create(folder.path().join(name)).unwrap();
    let named = |name| Some(Object::File { path: folder.path().join(name).to_str().unwrap().to_owned() });
    let nameless = Some(Object::File { path: unsure::CLOSED.to_owned() });
    let mut objects = Objects::new();
    // SAFETY: a number far above those in use here, closed below.
    let put = |file: &File| unsafe { libc::dup2(file.as_raw_fd(), 900) };
    let fd = put(&make("first"));
    assert_eq!(objects.of_fd(us(), fd, PRESENT), named("first"));
    let before = monotonic();
    put(&make("second"));
    // It may have been either then, and is the second now.
    assert_eq!(objects.of_fd(us(), fd, before), nameless);
    let after = monotonic();
    assert_eq!(objects.of_fd(us(), fd, after), named("second"));
    // SAFETY: ours.
    unsafe { libc::close(fd) };
    assert_eq!(objects.of_fd(us(), fd, PRESENT), None);
    let closed = monotonic();
    put(&make("third"));
    assert_eq!(objects.of_fd(us(), fd, closed), nameless);
    assert_eq!(objects.of_fd(us(), fd, PRESENT), named("third"));
    // SAFETY: ours.
    unsafe { libc::close(fd) };
}

#[test]
fn the_other_end_of_a_tcp_connection_is_found_in_the_tree() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (far, _) = listener.accept().unwrap();
    let mut child = cat(OwnedFd::from(far));
    let mut objects = Objects::new();
    objects.add_process(us(), 0);
    objects.add_process(child.id(), 7);
    let Some(Object::Socket { family, peer, local_peer, inode }) = objects.of_fd(us(), near.as_raw_fd(), 0)
    else {
        panic!("not a socket");
    };
    assert_eq!((family.as_str(), local_peer), ("tcp", Some(7)));
    assert_eq!(peer, Some(listener.local_addr().unwrap().to_string()));
    assert!(inode > 0);
    let far = objects.of_fd(child.id(), 0, 0);
    assert!(matches!(far, Some(Object::Socket { local_peer: Some(0), .. })), "{far:?}");
    drop(near);
    child.wait().unwrap();
}

#[test]
fn the_other_end_of_a_unix_pair_is_found_in_the_tree() {
    let (near, far) = UnixStream::pair().unwrap();
    let mut child = cat(OwnedFd::from(far));
    let mut objects = Objects::new();
    objects.add_process(us(), 0);
    objects.add_process(child.id(), 3);
    let found = objects.of_fd(us(), near.as_raw_fd(), 0);
    let Some(Object::Socket { family, peer: None, local_peer: Some(3), .. }) = found else {
        panic!("{found:?}");
    };
    assert_eq!(family, "unix");
    drop(near);
    child.wait().unwrap();
}

#[test]
fn a_client_of_a_unix_server_sees_the_servers_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("server.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let client = UnixStream::connect(&path).unwrap();
    let _server = listener.accept().unwrap();
    let Object::Socket { peer, .. } = look(&client) else { panic!("not a socket") };
    assert_eq!(peer.as_deref(), path.to_str());
}

#[test]
fn a_socket_without_a_peer_gains_one() {
    let listener = TcpListener::bind("[::1]:0").unwrap();
    // SAFETY: integers only.
    let socket = own(unsafe { libc::socket(libc::AF_INET6, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0) });
    let mut objects = Objects::new();
    let before = objects.of_fd(us(), socket.as_raw_fd(), 0);
    assert!(
        matches!(&before, Some(Object::Socket { family, peer: None, .. }) if family == "tcp"),
        "{before:?}"
    );
    let port = listener.local_addr().unwrap().port();
    let place = libc::sockaddr_in6 {
        sin6_family: libc::AF_INET6 as libc::sa_family_t,
        sin6_port: port.to_be(),
        sin6_flowinfo: 0,
        sin6_addr: libc::in6_addr { s6_addr: std::net::Ipv6Addr::LOCALHOST.octets() },
        sin6_scope_id: 0,
    };
    // SAFETY: an address of our own stack with its length.
    let connected =
        unsafe { libc::connect(socket.as_raw_fd(), (&raw const place).cast(), size_of_val(&place) as u32) };
    assert_eq!(connected, 0);
    std::thread::sleep(std::time::Duration::from_nanos(FRESH));
    let after = objects.of_fd(us(), socket.as_raw_fd(), PRESENT);
    let Some(Object::Socket { peer: Some(peer), .. }) = after else { panic!("{after:?}") };
    assert_eq!(peer, format!("[::1]:{port}"));
}

#[test]
fn sets_name_their_members_once_and_count_the_rest() {
    // SAFETY: integers only.
    let set = own(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) });
    let pipes: Vec<_> = (0..MEMBERS + 4).map(|_| std::io::pipe().unwrap()).collect();
    for (reader, _) in &pipes {
        let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 0 };
        // SAFETY: descriptors of ours and an event of this stack.
        let added = unsafe {
            libc::epoll_ctl(set.as_raw_fd(), libc::EPOLL_CTL_ADD, reader.as_raw_fd(), &raw mut event)
        };
        assert_eq!(added, 0);
    }
    assert_eq!(look(&set), Object::Set { members: vec!["pipe".to_owned(), "4 more".to_owned()] });
    let device = File::open("/dev/null").unwrap();
    let fds = [pipes[0].0.as_raw_fd(), device.as_raw_fd()];
    let polled = Objects::new().of_poll(us(), &fds, 0);
    assert_eq!(polled, Some(Object::Set { members: vec!["device /dev/null".to_owned(), "pipe".to_owned()] }));
    assert_eq!(Objects::new().of_poll(us(), &fds[1..], 0), Some(look(&device)));
    assert_eq!(Objects::new().of_poll(us(), &[], 0), None);
}
