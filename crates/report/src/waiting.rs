//! Why a thread was off the CPU, in the leaves of the account: pictures and exports need one for each piece of a wait.

use model::Nanos;
use model::blocking;
use model::leaf::Charge;
use model::recording::{Recording, Wait, Why};

/// A wait in at most two pieces: blocked until it was woken, then runnable until it ran.
pub(crate) fn pieces(recording: &Recording, wait: &Wait) -> impl Iterator<Item = (Charge, Nanos, Nanos)> {
    let charge = charge(recording, wait);
    let woken = wait.woken.filter(|woken| *woken >= wait.from && *woken <= wait.to && !charge.is_runnable());
    let until = woken.unwrap_or(wait.to);
    let blocked = (until > wait.from).then_some((charge, wait.from, until));
    let queued = (wait.to > until).then_some((Charge::Woken, until, wait.to));
    blocked.into_iter().chain(queued)
}

fn charge(recording: &Recording, wait: &Wait) -> Charge {
    match wait.why {
        Why::Preempted => Charge::Preempted,
        Why::Fault => Charge::Fault,
        Why::Stopped => Charge::Stopped,
        Why::NotYetRun => Charge::Starting,
        Why::Call | Why::Unknown => called(recording, wait),
    }
}

fn called(recording: &Recording, wait: &Wait) -> Charge {
    let Some(call) = wait.call.and_then(|call| recording.calls.get(call as usize)) else {
        return Charge::Unaccounted;
    };
    let object = call.object.and_then(|object| recording.objects.get(object as usize));
    blocking::charge_of(call, object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::recording::{Call, Object, Source, Weight};

    fn check(name: &str, object: Option<Object>, wanted: Charge) {
        let mut recording = Recording::new(Source::Import("test".into()), Weight::CpuTime);
        let place = object.map(|object| {
            recording.objects.push(object);
            0
        });
        recording.calls.push(Call { name: name.to_owned(), object: place, detail: None });
        let wait = Wait {
            thread: 0,
            from: Nanos::ZERO,
            to: Nanos::from_nanos(10),
            woken: Some(Nanos::from_nanos(7)),
            why: Why::Call,
            call: Some(0),
            stack: None,
            by: None,
            holder: None,
            cpu: None,
        };
        let at = Nanos::from_nanos;
        let pieces: Vec<_> = pieces(&recording, &wait).collect();
        assert_eq!(pieces, [(wanted, at(0), at(7)), (Charge::Woken, at(7), at(10))], "{name}");
    }

    #[test]
    fn a_wait_is_named_by_its_object_then_by_its_call() {
        let file = Object::File { path: "/x".to_owned() };
        check("read", Some(file.clone()), Charge::DiskRead);
        check("pwrite64", Some(file.clone()), Charge::DiskWrite);
        check("fsync", Some(file), Charge::DiskWrite);
        check("read", Some(Object::Pipe { inode: 1 }), Charge::Pipe);
        check("futex", None, Charge::Lock);
        check("clock_nanosleep", None, Charge::Sleep);
        check("frobnicate", None, Charge::Unaccounted);
    }
}
