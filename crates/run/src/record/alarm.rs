//! A clock that interrupts a wait of one thread.
//!
//! The kernel wakes whoever waits for traced threads by their stops and by signals, and by nothing else. So a timer sends a
//! signal to the thread that waits, whose handler does nothing and does not begin the wait again. One that comes before
//! the wait has begun would be lost, so it comes again and again until it is taken back.

use std::io;
use std::time::Duration;

/// Between one signal and the next.
const AGAIN: Duration = Duration::from_micros(500);

/// A timer of the thread that made it.
#[derive(Debug)]
pub(crate) struct Alarm {
    timer: libc::timer_t,
}

impl Alarm {
    /// # Errors
    /// When the kernel gives no timer.
    pub(crate) fn new() -> io::Result<Self> {
        // One that neither the C library nor we use for anything else.
        let signal = libc::SIGRTMIN() + 7;
        let mut timer = std::ptr::null_mut();
        // SAFETY: structs of our own stack, each valid with all bytes zero; the handler touches nothing.
        let made = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = signal;
            event.sigev_notify_thread_id = libc::gettid();
            libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer)
        };
        if made < 0 { Err(io::Error::last_os_error()) } else { Ok(Self { timer }) }
    }

    /// Rings after this time, and then until it is [`Self::off`].
    pub(crate) fn ring_in(&self, time: Duration) {
        // Zero would switch it off.
        self.set(time.max(Duration::from_nanos(1)), AGAIN);
    }

    pub(crate) fn off(&self) {
        self.set(Duration::ZERO, Duration::ZERO);
    }

    fn set(&self, first: Duration, again: Duration) {
        let time = |time: Duration| libc::timespec {
            tv_sec: libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX),
            tv_nsec: libc::c_long::from(time.subsec_nanos()),
        };
        let wanted = libc::itimerspec { it_value: time(first), it_interval: time(again) };
        // SAFETY: a timer of ours and a struct of our own stack.
        unsafe { libc::timer_settime(self.timer, 0, &raw const wanted, std::ptr::null_mut()) };
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        // SAFETY: made in `new` and not used after this. The handler stays for a signal that is on its way.
        unsafe { libc::timer_delete(self.timer) };
    }
}

extern "C" fn on_signal(_: i32) {}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_wait_without_end_is_interrupted_and_off_is_off() {
        let alarm = Alarm::new().unwrap();
        let nap = |millis| {
            let began = Instant::now();
            // SAFETY: no descriptors.
            let woken = unsafe { libc::poll(std::ptr::null_mut(), 0, millis) };
            (woken, began.elapsed())
        };
        alarm.ring_in(Duration::from_millis(5));
        let (woken, time) = nap(60_000);
        assert!(woken < 0 && time < Duration::from_secs(30), "{time:?}");
        alarm.off();
        assert_eq!(nap(20).0, 0);
    }
}
