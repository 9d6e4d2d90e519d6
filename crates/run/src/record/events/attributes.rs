//! The attributes that each kind of event is opened with.

use perf_event_open_sys::bindings::{
    PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_DUMMY, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
    PERF_COUNT_SW_PAGE_FAULTS_MIN, PERF_SAMPLE_ADDR, PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_CPU,
    PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_RAW, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER,
    PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT, perf_event_attr,
};

use stacks::General;

use super::{Begin, Fields, Kind, REGISTERS, Wish};

pub(super) const fn fields(kind: Kind, kernel: bool) -> Fields {
    let none = Fields {
        ip: false,
        address: false,
        kernel_chain: false,
        raw: false,
        registers: false,
        general: false,
        stack: false,
    };
    match kind {
        Kind::Switches => none,
        Kind::Clock | Kind::Newborn => {
            Fields { ip: true, kernel_chain: kernel, registers: true, general: true, stack: true, ..none }
        }
        Kind::MajorFault => Fields { address: true, registers: true, stack: true, ..none },
        Kind::Touches => Fields { registers: true, stack: true, ..none },
        Kind::Enter(_) | Kind::AnyEnter => Fields { raw: true, registers: true, ..none },
        Kind::Waking => Fields { raw: true, ..none },
    }
}

pub(super) fn attributes(
    kind: Kind,
    tracepoint: Option<u64>,
    wish: &Wish<'_>,
    kernel: bool,
) -> perf_event_attr {
    let (event, config) = match (kind, tracepoint) {
        (_, Some(id)) => (PERF_TYPE_TRACEPOINT, id),
        (Kind::Clock | Kind::Newborn, _) => (PERF_TYPE_SOFTWARE, u64::from(PERF_COUNT_SW_CPU_CLOCK)),
        (Kind::MajorFault, _) => (PERF_TYPE_SOFTWARE, u64::from(PERF_COUNT_SW_PAGE_FAULTS_MAJ)),
        (Kind::Touches, _) => (PERF_TYPE_SOFTWARE, u64::from(PERF_COUNT_SW_PAGE_FAULTS_MIN)),
        _ => (PERF_TYPE_SOFTWARE, u64::from(PERF_COUNT_SW_DUMMY)),
    };
    let mut attributes = perf_event_attr {
        type_: event,
        config,
        size: u32::try_from(size_of::<perf_event_attr>()).unwrap_or(0),
        sample_type: sample_type(fields(kind, kernel)),
        clockid: libc::CLOCK_MONOTONIC,
        ..perf_event_attr::default()
    };
    attributes.__bindgen_anon_1.sample_period = match kind {
        Kind::Clock | Kind::Newborn => wish.period,
        Kind::Touches => super::TOUCHES,
        _ => 1,
    };
    let Fields { registers, general, stack, .. } = fields(kind, kernel);
    if registers {
        let numbers = if general { General::NUMBERS.as_slice() } else { &REGISTERS };
        attributes.sample_regs_user = numbers.iter().fold(0, |mask, register| mask | 1 << register);
    }
    if stack {
        attributes.sample_stack_user = wish.stack_bytes;
    }
    // Zero is half of the ring; a tick comes sooner in most cases.
    attributes.__bindgen_anon_2.wakeup_watermark = 0;
    attributes.set_watermark(1);
    attributes.set_use_clockid(1);
    attributes.set_sample_id_all(1);
    attributes.set_inherit(1);
    attributes.set_exclude_hv(1);
    attributes.set_exclude_callchain_user(1);
    // The waking of another thread happens inside the kernel, whoever is asked about.
    attributes.set_exclude_kernel(u64::from(!kernel));
    match wish.begin {
        Begin::AtOnce => {}
        Begin::AtExec => {
            attributes.set_disabled(1);
            attributes.set_enable_on_exec(1);
        }
        Begin::Later => {
            attributes.set_disabled(1);
            attributes.set_inherit(0);
            attributes.set_exclude_idle(1);
        }
    }
    match kind {
        Kind::MajorFault => {
            attributes.set_mmap(1);
            attributes.set_mmap2(1);
            attributes.set_comm(1);
            attributes.set_comm_exec(1);
            attributes.set_task(1);
        }
        Kind::Switches => attributes.set_context_switch(1),
        Kind::Waking => attributes.set_inherit(0),
        _ => {}
    }
    attributes
}

/// Of one that tells everything of one thread, wherever it runs.
pub(super) fn window(clock: &perf_event_attr) -> perf_event_attr {
    let mut attributes = *clock;
    attributes.set_inherit(0);
    attributes.set_context_switch(1);
    attributes.set_mmap(1);
    attributes.set_mmap2(1);
    attributes.set_comm(1);
    attributes.set_comm_exec(1);
    attributes.set_task(1);
    attributes
}

/// Of one that is off until it is switched on.
pub(super) fn waiting(kind: Kind, wish: &Wish<'_>, kernel: bool) -> perf_event_attr {
    let mut attributes = attributes(kind, None, wish, kernel);
    attributes.set_disabled(1);
    attributes.set_enable_on_exec(0);
    attributes
}

fn sample_type(fields: Fields) -> u64 {
    let always = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
    let optional = [
        (fields.ip, PERF_SAMPLE_IP),
        (fields.address, PERF_SAMPLE_ADDR),
        (fields.kernel_chain, PERF_SAMPLE_CALLCHAIN),
        (fields.raw, PERF_SAMPLE_RAW),
        (fields.registers, PERF_SAMPLE_REGS_USER),
        (fields.stack, PERF_SAMPLE_STACK_USER),
    ];
    optional.iter().filter(|(wanted, _)| *wanted).fold(always.into(), |all, (_, bit)| all | u64::from(*bit))
}
