//! Samples: which allocations go into the ring, and when sampled ones end.

use core::arch::asm;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::layout::{self, Allocation, Free, Pace, Sampling, Shard, Site};
use crate::short::home;
use crate::system::{call, numbers};
use crate::{Caller, REAL, in_key, start};

/// Sampled addresses that live, by hash: a bit says whether a bucket holds any, so that a free that was not sampled costs
/// one look at 8 KiB.
const BUCKETS: usize = 1 << 16;
/// The addresses themselves lie in three tables, the next one where a bucket of the last is full: most programs have few,
/// which then touch few pages.
const TABLES: [usize; 3] = [BUCKETS / 128, BUCKETS / 16, BUCKETS];
const IN_BUCKET: usize = 4;
pub const TABLE: usize = (TABLES[0] + TABLES[1] + TABLES[2]) * IN_BUCKET * 8;
pub static mut FILTER: [u64; BUCKETS / 64] = [0; BUCKETS / 64];
/// Buckets are the upper half of the lower half of an address times this.
pub const SPREAD: u32 = 0x9e37_79b1;
pub const BIT: u32 = 32 - BUCKETS.trailing_zeros();
/// Set by `start`; wiped by the kernel in a forked child.
pub static mut ADDRESSES: *mut u64 = null_mut();

/// A thread that is sampled more often than this is sampled less: a sample takes some microseconds, so that this is below
/// a hundredth of its time however fast it allocates.
const PACE: u64 = 1_000_000;

/// The same where the thread waits until its frames are read: with two switches, and all that has to come back into the caches
/// behind them, that takes 30 to 100 microseconds of its time. Small objects and others each have this pace.
const PACE_OF_WAITERS: u64 = 8_000_000;

/// The pace is looked at after so many samples.
const SAMPLES: u64 = 32;

/// Sites are looked at again when they have allocated this much, whatever is due.
const FAR: u64 = 4 << 20;

/// The place of a key where the short ways do not look. Who allocates more often moves there. Where all places are taken,
/// the one with the fewest allocations makes room, unless it was looked at: what it counted goes to the rest.
#[cold]
#[inline(never)]
pub unsafe fn site(shard: *mut Shard, key: u64, size: usize) -> *mut Site {
    unsafe {
        let first = (&raw mut (*shard).sites).cast::<Site>();
        let home = home(shard, key).offset_from_unsigned(first);
        let group = || (0..8).map(|other| first.add(home ^ other));
        let mut least = first.add(home);
        for site in group() {
            if (*site).key == key {
                return closer(shard, site, first.add(home), first.add(home ^ 1));
            }
            if (*site).allocations < (*least).allocations {
                least = site;
            }
        }
        if (*least).key != 0 && (*shard).within != Shard::reach(layout::SITES) {
            spread(shard);
            return self::site(shard, key, size);
        }
        // Asked of one, not of all: it lies elsewhere.
        let looked_at = |site: *mut Site| (*sampling(shard, site)).look == u64::MAX;
        if looked_at(least) {
            let others = group().filter(|site| !looked_at(*site));
            least = others.min_by_key(|site| (**site).allocations).unwrap_or(null_mut());
        }
        if least.is_null() {
            count_class(shard, class(size), 1);
            return &raw mut (*shard).rest;
        }
        let (rest, of_rest) = (&raw mut (*shard).rest, &raw mut (*shard).of_rest);
        let bytes = (*least).bytes();
        (*rest).allocations += (*least).allocations;
        // They had their chance.
        (*rest).end += bytes;
        (*of_rest).chance += bytes;
        count_class(shard, (*sampling(shard, least)).class, (*least).allocations);
        *least = Site { key, allocations: 0, left: 0, end: 0 };
        *sampling(shard, least) = Sampling {
            chance: 0,
            interval: 0,
            look: layout::LOOKED_AT,
            class: class(size),
            in_key: in_key(size) as u32,
        };
        begin(shard, least);
        least
    }
}

/// From now on all places are in use. Who moves goes a multiple of what was in use further, so that all who shared a group and
/// still do stay in order, and nobody meets another.
unsafe fn spread(shard: *mut Shard) {
    unsafe {
        let first = (&raw mut (*shard).sites).cast::<Site>();
        (*shard).within = Shard::reach(layout::SITES);
        for at in 0..layout::FEW_SITES {
            let old = first.add(at);
            let home = home(shard, (*old).key).offset_from_unsigned(first);
            let new = first.add(home / layout::FEW_SITES * layout::FEW_SITES + at);
            if (*old).key != 0 && new != old {
                core::ptr::swap(sampling(shard, old), sampling(shard, new));
                core::ptr::swap(old, new);
            }
        }
    }
}

/// A site changes places with the one of two that allocates less often, if that is less than it does.
unsafe fn closer(shard: *mut Shard, site: *mut Site, home: *mut Site, neighbour: *mut Site) -> *mut Site {
    unsafe {
        let quick = if (*neighbour).allocations < (*home).allocations { neighbour } else { home };
        if (*site).allocations <= (*quick).allocations {
            return site;
        }
        core::ptr::swap(site, quick);
        core::ptr::swap(sampling(shard, site), sampling(shard, quick));
        quick
    }
}

/// What belongs to a site of this thread, or to its rest.
unsafe fn sampling(shard: *mut Shard, site: *mut Site) -> *mut Sampling {
    unsafe {
        if site == &raw mut (*shard).rest {
            return &raw mut (*shard).of_rest;
        }
        let at = site.offset_from_unsigned((&raw mut (*shard).sites).cast::<Site>());
        (&raw mut (*shard).samplings).cast::<Sampling>().add(at)
    }
}

/// Of what has no place of its own.
unsafe fn count_class(shard: *mut Shard, class: u32, allocations: u64) {
    let class = if (class as usize) < layout::CLASSES { class as usize } else { layout::CLASSES - 1 };
    // SAFETY: below the number of classes.
    unsafe { *(&raw mut (*shard).classes).cast::<u64>().add(class) += allocations };
}

/// Sizes from this power of two on; nothing counts as one byte.
fn class(size: usize) -> u32 {
    (size | 1).ilog2()
}

/// Draws when the site is sampled next.
pub unsafe fn begin(shard: *mut Shard, site: *mut Site) {
    unsafe {
        let sampling = sampling(shard, site);
        (*sampling).interval = (*shard).pace.interval;
        (*sampling).chance = (*site).bytes().saturating_add(gap(shard, (*sampling).interval));
        wait(site, sampling);
    }
}

/// The site takes the short way until one of its two moments has come.
unsafe fn wait(site: *mut Site, sampling: *mut Sampling) {
    unsafe {
        let bytes = (*site).bytes();
        let next = if (*sampling).look < (*sampling).chance { (*sampling).look } else { (*sampling).chance };
        let left = next.saturating_sub(bytes.saturating_add(1));
        (*site).left = if left < FAR { left } else { FAR };
        (*site).end = bytes + (*site).left;
    }
}

/// A site has nothing left for an allocation, which it has not counted the bytes of.
#[cold]
#[inline(never)]
pub unsafe fn due(shard: *mut Shard, site: *mut Site, block: *mut u8, size: usize, caller: Caller) {
    unsafe {
        settle(shard);
        (*site).end += size as u64;
        let (bytes, sampling) = ((*site).bytes(), sampling(shard, site));
        let (by_chance, look) = (bytes >= (*sampling).chance, bytes >= (*sampling).look);
        if !by_chance && !look {
            return wait(site, sampling);
        }
        let why = if by_chance { layout::BY_CHANCE } else { 0 } | if look { layout::LOOK } else { 0 };
        let of = Of { key: (*site).key, interval: (*sampling).interval, why };
        let found_room = record(shard, &of, block, size, caller);
        // A look that found no room is tried again later; what came by chance is lost.
        if look {
            (*sampling).look = if found_room { u64::MAX } else { bytes + layout::LOOKED_AT };
        }
        if by_chance {
            keep_pace(&raw mut (*shard).pace, (*start::header()).interval);
            begin(shard, site);
        } else {
            wait(site, sampling);
        }
    }
}

/// Sets how often the thread is sampled from now on, at most as often as asked. What was drawn before stays as it is and tells
/// its own interval.
pub unsafe fn keep_pace(pace: *mut Pace, asked: u64) {
    unsafe {
        if (*pace).interval < asked {
            (*pace).interval = asked;
        }
        (*pace).samples += 1;
        if (*pace).samples < SAMPLES {
            return;
        }
        let now = now();
        let took = now.saturating_sub((*pace).since);
        let least = SAMPLES * if start::waits_for_answers() { PACE_OF_WAITERS } else { PACE };
        if took < least {
            let times = if took == 0 { SAMPLES } else { least.div_ceil(took) };
            let times = if times < SAMPLES { times } else { SAMPLES };
            (*pace).interval = (*pace).interval.saturating_mul(times.next_power_of_two());
        } else if took > 4 * least && (*pace).interval / 2 >= asked {
            (*pace).interval /= 2;
        }
        (*pace).samples = 0;
        (*pace).since = now;
    }
}

/// Live bytes of a thread that it has not handed in.
pub unsafe fn pending(shard: *const Shard) -> i64 {
    // SAFETY: a shard; words that were never touched are all zero.
    unsafe { (*shard).pending + (*shard).loss - (*shard).gain }
}

/// Adds what the thread has gained or lost to the live bytes of the process, where that is much.
#[inline(never)]
pub unsafe extern "C" fn settle(shard: *mut Shard) {
    unsafe {
        let gained = pending(shard);
        (*shard).gain = layout::ROOM;
        (*shard).loss = layout::ROOM;
        if gained.unsigned_abs() <= layout::HELD_BACK as u64 {
            (*shard).pending = gained;
            return;
        }
        (*shard).pending = 0;
        let header = start::header();
        let live = signed(&raw mut (*header).live).fetch_add(gained, Ordering::Relaxed) + gained;
        if live > signed(&raw mut (*header).peak).fetch_max(live, Ordering::Relaxed) {
            word(&raw mut (*header).peak_at).store(now(), Ordering::Relaxed);
        }
    }
}

/// As [`settle`], on the way out of an allocation.
#[cold]
#[inline(never)]
pub unsafe extern "C" fn settle_with(shard: *mut Shard, block: *mut u8) -> *mut u8 {
    // SAFETY: as the caller.
    unsafe { settle(shard) };
    block
}

/// Bytes until the next sample: exponential, so that every byte has the same chance whatever came before.
#[inline(never)]
pub unsafe fn gap(shard: *mut Shard, mean: u64) -> u64 {
    unsafe {
        let mut random = (*shard).random;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (*shard).random = random;
        // Above zero, at most one.
        let chance = ((random >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (-logarithm(chance) * mean as f64) as u64 + 1
    }
}

/// Natural, for what lies above zero. The series is right to seven digits between half and one and a half.
fn logarithm(of: f64) -> f64 {
    const OF_TWO: f64 = core::f64::consts::LN_2;
    let bits = of.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1022;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1022 << 52));
    let (mantissa, exponent) =
        if mantissa < 0.707 { (mantissa * 2.0, exponent - 1) } else { (mantissa, exponent) };
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let square = z * z;
    let series = 1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0)));
    2.0 * z * series + exponent as f64 * OF_TWO
}

/// What a sample is one of.
pub struct Of {
    pub key: u64,
    pub interval: u64,
    pub why: u32,
}

/// Writes an allocation into the ring; `false` when there is no room.
#[inline(never)]
pub unsafe fn record(shard: *mut Shard, of: &Of, block: *mut u8, size: usize, caller: Caller) -> bool {
    unsafe {
        let header = start::header();
        let length = size_of::<Allocation>() + layout::STACK;
        let place = reserve(length, layout::ALLOCATION).cast::<Allocation>();
        if place.is_null() {
            if of.why & layout::BY_CHANCE != 0 {
                word(&raw mut (*header).lost_samples).fetch_add(1, Ordering::Relaxed);
            }
            return false;
        }
        (*place).at = now();
        (*place).address = block as u64;
        (*place).size = size as u64;
        (*place).live = signed(&raw mut (*header).live).load(Ordering::Relaxed);
        (*place).interval = of.interval;
        (*place).key = of.key;
        (*place).ip = *caller.frame as u64;
        let above = caller.frame.add(1);
        (*place).sp = above as u64;
        (*place).bp = caller.bp as u64;
        (*place).tid = (*shard).tid;
        (*place).why = of.why;
        (*place).stack = copy(above.cast(), place.add(1).cast(), (*header).pid);
        remember(block as u64);
        written(place.cast());
        start::wait_for_answer(place);
        true
    }
}

/// Copies the stack. Up to the end of the first thread's it lies there for certain; of others, which a program may have made
/// itself, only the kernel knows how far it may be read.
unsafe fn copy(from: *const u8, to: *mut u8, pid: u32) -> u64 {
    let left = start::left_of_first_stack(from);
    if left == 0 {
        // SAFETY: as the caller.
        return unsafe { copy_by_kernel(from, to, pid) };
    }
    let length = if left < layout::STACK { left } else { layout::STACK };
    // SAFETY: both sides are there; no string instruction needs vectors or a library.
    unsafe {
        asm!("rep movsb", inout("rcx") length => _, inout("rsi") from => _, inout("rdi") to => _, options(nostack))
    };
    length as u64
}

/// The kernel stops where memory ends instead of faulting. Each piece is copied wholly or not at all, so none crosses a page.
unsafe fn copy_by_kernel(from: *const u8, to: *mut u8, pid: u32) -> u64 {
    let mut pieces = [[0usize; 2]; layout::STACK / layout::PAGE + 1];
    let (mut at, mut left, mut number) = (from as usize, layout::STACK, 0);
    while left > 0 && number < pieces.len() {
        let in_page = layout::PAGE - at % layout::PAGE;
        let length = if in_page < left { in_page } else { left };
        pieces[number] = [at, length];
        at += length;
        left -= length;
        number += 1;
    }
    let into = [to as usize, layout::STACK];
    // SAFETY: as much room as is asked for; the kernel checks the other side.
    let read = unsafe {
        let (ours, theirs) = (into.as_ptr() as usize, pieces.as_ptr() as usize);
        call(numbers::PROCESS_VM_READV, [pid as usize, ours, 1, theirs, number, 0])
    };
    if read > 0 { read as u64 } else { 0 }
}

/// A ring that was emptied is begun anew after so many bytes: memory that was never touched costs more than a record.
const BEGUN_ANEW: usize = 128 * 1024;

/// Of the ring, what allocations leave to frees. A sample that finds no room is one less; a free that finds none makes its
/// block live for good, with all the bytes that it stands for.
const FOR_FREES: usize = 64 * 1024;

// Else what is skipped on the way back to the beginning would leave no room, for ever.
const _: () = assert!(BEGUN_ANEW >= FOR_FREES + size_of::<Allocation>() + layout::STACK);

/// Room in the ring; null when it is full. The length is there at once, so that a reader can step over a record whose
/// writer was killed.
#[inline(never)]
unsafe fn reserve(length: usize, kind: u64) -> *mut u64 {
    unsafe {
        let header = start::header();
        let ring = start::ring();
        let head = word(&raw mut (*header).head);
        loop {
            let begin = head.load(Ordering::Relaxed);
            let tail = word(&raw mut (*header).tail).load(Ordering::Acquire);
            let at = (begin % layout::RING as u64) as usize;
            let anew = at + length > layout::RING || (tail == begin && at >= BEGUN_ANEW);
            let skipped = if anew { layout::RING - at } else { 0 };
            let end = begin + (skipped + length) as u64;
            let room = if kind == layout::FREE { layout::RING } else { layout::RING - FOR_FREES };
            if end - tail > room as u64 {
                return null_mut();
            }
            if head.compare_exchange_weak(begin, end, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                continue;
            }
            if skipped > 0 {
                let skip = skipped as u64 | layout::SKIP << layout::KIND | layout::WRITTEN;
                word(ring.add(at).cast()).store(skip, Ordering::Release);
            }
            let place = ring.add((at + skipped) % layout::RING).cast::<u64>();
            word(place).store(length as u64 | kind << layout::KIND, Ordering::Release);
            return place;
        }
    }
}

unsafe fn written(place: *mut u64) {
    // SAFETY: a record of ours.
    unsafe { word(place).fetch_or(layout::WRITTEN, Ordering::Release) };
}

#[inline(always)]
fn bucket(address: u64) -> usize {
    ((address as u32).wrapping_mul(SPREAD) >> BIT) as usize
}

/// Whether a block must be looked up before it is given back.
#[inline(always)]
pub fn may_be_sampled(block: *mut u8) -> bool {
    let at = bucket(block as u64);
    // SAFETY: a word of the filter; the index is below its length.
    unsafe { (*(&raw const FILTER).cast::<u64>().add(at / 64)) >> (at % 64) & 1 != 0 }
}

unsafe fn filter(bucket: usize) -> (&'static AtomicU64, u64) {
    // SAFETY: a word of the filter; the index is below its length.
    unsafe { (word((&raw mut FILTER).cast::<u64>().add(bucket / 64)), 1 << (bucket % 64)) }
}

/// Makes every free of this address take the long way.
pub unsafe fn mark(address: u64) {
    let (word, bit) = unsafe { filter(bucket(address)) };
    word.fetch_or(bit, Ordering::SeqCst);
}

/// In a forked child: nothing of its own is sampled yet.
pub unsafe fn forget_all() {
    for at in 0..BUCKETS / 64 {
        // SAFETY: a word of the filter.
        unsafe { (&raw mut FILTER).cast::<u64>().add(at).write_volatile(0) };
    }
}

/// The places where an address of a bucket may lie.
unsafe fn slots(bucket: usize) -> impl Iterator<Item = &'static AtomicU64> {
    let mut before = 0;
    TABLES.into_iter().flat_map(move |buckets| {
        let first = (before + bucket % buckets) * IN_BUCKET;
        before += buckets;
        // SAFETY: within the tables.
        (first..first + IN_BUCKET).map(|at| unsafe { word(ADDRESSES.add(at)) })
    })
}

unsafe fn remember(address: u64) {
    let take =
        |slot: &AtomicU64| slot.compare_exchange(0, address, Ordering::SeqCst, Ordering::Relaxed).is_ok();
    unsafe {
        if slots(bucket(address)).any(take) {
            mark(address);
        } else {
            word(&raw mut (*start::header()).forgotten).fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Takes an address out of the table; `false` when it was not there.
unsafe fn forget(address: u64) -> bool {
    let its = bucket(address);
    let exchange =
        |slot: &AtomicU64| slot.compare_exchange(address, 0, Ordering::SeqCst, Ordering::Relaxed).is_ok();
    unsafe {
        if !slots(its).any(exchange) {
            return false;
        }
        let is_of_bucket = |held: u64| held != 0 && bucket(held) == its;
        let empty = || !slots(its).any(|slot| is_of_bucket(slot.load(Ordering::SeqCst)));
        if empty() && !start::is_special(its, bucket) {
            let (word, bit) = filter(its);
            word.fetch_and(!bit, Ordering::SeqCst);
            // Somebody may have come in between.
            if !empty() {
                word.fetch_or(bit, Ordering::SeqCst);
            }
        }
        true
    }
}

/// A block that may be sampled is given back. `false`: it is none that counts, and is dealt with.
#[cold]
#[inline(never)]
pub unsafe fn left(shard: *mut Shard, block: *mut u8) -> bool {
    unsafe {
        if start::is_of_arena(block) {
            return false;
        }
        if start::was_early(block) {
            (REAL.free)(block);
            return false;
        }
        ended(shard, block);
        true
    }
}

/// Tells the end of a block, if it was sampled. Before it is given back: after that its address may be another's.
#[cold]
#[inline(never)]
pub unsafe fn ended(shard: *mut Shard, block: *mut u8) {
    unsafe {
        if shard.is_null() || ADDRESSES.is_null() || !forget(block as u64) {
            return;
        }
        let place = reserve(size_of::<Free>(), layout::FREE).cast::<Free>();
        if place.is_null() {
            word(&raw mut (*start::header()).lost_frees).fetch_add(1, Ordering::Relaxed);
            return;
        }
        (*place).at = now();
        (*place).address = block as u64;
        (*place).tid = u64::from((*shard).tid);
        written(place.cast());
    }
}

/// CLOCK_MONOTONIC.
#[inline(never)]
pub fn now() -> u64 {
    let mut time = [0u64; 2];
    // SAFETY: a timespec of our own stack; the C library asks the kernel's page instead of the kernel.
    unsafe {
        match start::CLOCK {
            Some(clock) => {
                clock(1, &raw mut time);
            }
            None => {
                call(numbers::CLOCK_GETTIME, [1, time.as_mut_ptr() as usize, 0, 0, 0, 0]);
            }
        }
    }
    time[0] * 1_000_000_000 + time[1]
}

pub unsafe fn word(place: *mut u64) -> &'static AtomicU64 {
    // SAFETY: a word that outlives the library and is only touched this way.
    unsafe { AtomicU64::from_ptr(place) }
}

pub unsafe fn signed(place: *mut i64) -> &'static AtomicI64 {
    // SAFETY: as above.
    unsafe { AtomicI64::from_ptr(place) }
}
