//! Memory of another process, and who holds a lock that lies in it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

const PAGE: u64 = 4096;

/// Pieces of one call; a long read takes several calls.
const PIECES: usize = 32;

/// Reads from `address` on until `buffer` is full or memory ends. How many bytes were read; zero when the process is
/// gone, refuses, or has nothing there.
pub(crate) fn read_memory(pid: u32, address: u64, buffer: &mut [u8]) -> usize {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        let Some(from) = u64::try_from(done).ok().and_then(|done| address.checked_add(done)) else {
            break;
        };
        match read_pieces(pid, from, rest) {
            Ok(0) | Err(libc::EFAULT | libc::ESRCH) => break,
            Ok(length) => done += length,
            // A filter or an old kernel refuses the call, not the access.
            Err(_) => return done + read_file(pid, from, rest),
        }
    }
    done
}

/// One call for up to [`PIECES`] pages. The kernel reads each piece wholly or not at all, so none crosses a page.
fn read_pieces(pid: u32, address: u64, buffer: &mut [u8]) -> Result<usize, libc::c_int> {
    let nothing = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
    let mut theirs = [nothing; PIECES];
    let (mut at, mut wanted, mut pieces) = (address, 0, 0);
    for piece in &mut theirs {
        let in_page = usize::try_from(PAGE - at % PAGE).unwrap_or(0);
        let length = in_page.min(buffer.len() - wanted);
        if length == 0 || at.checked_add(PAGE).is_none() {
            break;
        }
        *piece = libc::iovec { iov_base: std::ptr::without_provenance_mut(at as usize), iov_len: length };
        at += length as u64;
        wanted += length;
        pieces += 1;
    }
    let ours = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: wanted };
    // SAFETY: our piece lies in the buffer; theirs are addresses of another process, which the kernel checks.
    let read =
        unsafe { libc::process_vm_readv(pid.cast_signed(), &raw const ours, 1, theirs.as_ptr(), pieces, 0) };
    // SAFETY: errno is the calling thread's own.
    usize::try_from(read).map_err(|_| unsafe { *libc::__errno_location() })
}

fn read_file(pid: u32, address: u64, buffer: &mut [u8]) -> usize {
    let Ok(file) = File::open(format!("/proc/{pid}/mem")) else {
        return 0;
    };
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, address.wrapping_add(done as u64)) {
            Ok(length) if length > 0 => done += length,
            _ => break,
        }
    }
    done
}

/// The thread that holds the lock a futex stands for. `None` when the word does not tell, or tells of no living thread
/// of the process.
///
/// Three forms name a thread: a word that is a thread's number, with the kernel's two flags above it (PI locks, musl's
/// locks, and the word glibc's `pthread_join` waits on), and glibc's plain mutex, which is locked (1) or waited for (2)
/// and has its owner eight bytes on. Locks of other libraries keep no owner.
pub(crate) fn lock_holder(pid: u32, address: u64) -> Option<u32> {
    const NUMBER: u32 = 0x3fff_ffff;
    let mut bytes = [0; 12];
    let length = read_memory(pid, address, &mut bytes);
    let (words, _) = bytes.as_chunks::<4>();
    let word = |at: usize| {
        let known = length >= at * 4 + 4;
        words.get(at).filter(|_| known).map(|word| u32::from_ne_bytes(*word))
    };
    let tid = match word(0)? {
        1 | 2 => word(2)?,
        word => word & NUMBER,
    };
    (tid != 0 && is_thread(pid, tid)).then_some(tid)
}

fn is_thread(pid: u32, tid: u32) -> bool {
    Path::new(&format!("/proc/{pid}/task/{tid}")).exists()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn address<T>(of: *const T) -> u64 {
        of.addr() as u64
    }

    fn tid() -> u32 {
        // SAFETY: plain call.
        unsafe { libc::gettid() }.cast_unsigned()
    }

    /// Memory of two pages whose second is gone.
    fn page_before_nothing() -> *mut u8 {
        // SAFETY: a new mapping, half of which is removed again.
        unsafe {
            let pages = libc::mmap(
                std::ptr::null_mut(),
                8192,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(pages, libc::MAP_FAILED);
            libc::munmap(pages.byte_add(4096), 4096);
            pages.cast()
        }
    }

    #[test]
    fn a_read_ends_where_memory_ends() {
        let page = page_before_nothing();
        // SAFETY: the last bytes of a page of our own.
        unsafe { page.add(4090).copy_from(b"abcdef".as_ptr(), 6) };
        let mut buffer = [0; 100];
        let pid = std::process::id();
        assert_eq!(read_memory(pid, page.addr() as u64 + 4090, &mut buffer), 6);
        assert_eq!(&buffer[..6], b"abcdef");
        assert_eq!(read_file(pid, page.addr() as u64 + 4090, &mut buffer), 6);
        assert_eq!(read_memory(pid, page.addr() as u64 + 4096, &mut buffer), 0);
        assert_eq!(read_memory(pid, u64::MAX - 3, &mut buffer), 0);
        assert_eq!(read_memory(u32::MAX >> 1, page.addr() as u64, &mut buffer), 0);
    }

    #[test]
    fn a_long_read_takes_several_calls() {
        let there: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        let mut here = vec![0; there.len()];
        assert_eq!(read_memory(std::process::id(), address(there.as_ptr()), &mut here), there.len());
        assert!(here == there);
    }

    #[test]
    fn the_owner_of_a_glibc_mutex_is_its_holder() {
        let mut lock = libc::PTHREAD_MUTEX_INITIALIZER;
        let place = address(&raw const lock);
        let pid = std::process::id();
        assert_eq!(lock_holder(pid, place), None);
        // SAFETY: an initialised mutex of this stack, unlocked again below by the same thread.
        unsafe { libc::pthread_mutex_lock(&raw mut lock) };
        assert_eq!(lock_holder(pid, place), Some(tid()));
        // SAFETY: as above.
        unsafe { libc::pthread_mutex_unlock(&raw mut lock) };
        assert_eq!(lock_holder(pid, place), None);
    }

    #[test]
    fn a_word_with_a_thread_number_names_it_only_while_it_lives() {
        let (name, named) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let thread = std::thread::spawn(move || {
            name.send(tid()).unwrap();
            let _ = ended.recv();
        });
        let other = named.recv().unwrap();
        let word = [other | 0x8000_0000, 0, 0];
        let holder = || lock_holder(std::process::id(), address(word.as_ptr()));
        assert_eq!(holder(), Some(other));
        drop(end);
        thread.join().unwrap();
        // The kernel removes the thread a moment after `join` returns.
        while is_thread(std::process::id(), other) {
            std::thread::yield_now();
        }
        assert_eq!(holder(), None);
    }
}
