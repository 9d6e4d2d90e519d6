// Started by slowpath's hook in the target's own Node: tells what its event loop does nothing for, who asked for that, and how
// many promises of which functions are open meanwhile.
'use strict';
module.exports = (lines, now) => {
  // Frames that are looked at, and functions of the program and of packages that are kept of them.
  const FRAMES = 40, KEPT = 12;
  // Nanoseconds that looking at stacks may take at first, and later on of the whole run.
  const FIRST = 2e8, PART = 0.1;
  // Places, things that are asked for and promises that are known at once. Those that were asked for first are forgotten.
  const PLACES = 2000, THINGS = 50000, OPEN = 100000;
  // A program with more promises is left alone from there on: each is called for three times.
  const PROMISES = 3e6;
  // Milliseconds of idle time that are told: less is what coming back takes.
  const LEAST = 0.01;
  // Places and functions that are told.
  const SITES = 60, FUNCTIONS = 100;
  // What is over when it has come, and what nobody waits for.
  const ONCE = /^Timeout$|^FSREQ|^FILEHANDLE|REQ$|REQWRAP$|REQUEST$|CONNECTWRAP$|QUERYWRAP$|JOB$/;
  const NOBODY = new Set(['PROMISE', 'TickObject', 'Immediate', 'Microtask', 'SCRIPT', 'ELDHISTOGRAM']);

  const { createHook } = require('async_hooks');
  const { performance } = require('perf_hooks');
  const { inspect, types } = require('util');
  const { fileURLToPath } = require('url');
  const path = require('path');
  const { nodeTiming, timeOrigin } = performance;
  const began = now(), folder = path.dirname(__filename) + path.sep;
  let spent = 0, last = nodeTiming.idleTime, idle = 0, promises = 0, over = null;

  const sites = new Map(), once = new Map(), lasting = new Map();
  // Functions of which promises are open, and these promises.
  const waiting = new Set(), open = new Map();

  const fileOf = (frame) => {
    const file = frame.getFileName() ?? '';
    if (file.startsWith('file:')) return fileURLToPath(file);
    return path.isAbsolute(file) ? file : null;
  };
  const placeOf = (frame) => {
    const file = fileOf(frame);
    if (file === null || file.startsWith(folder)) return null;
    const line = frame.getLineNumber();
    return { function: frame.getFunctionName() || '(anonymous)', file, line: lines[file]?.[line - 1] ?? line };
  };
  // Who is running, and who awaits that.
  const stack = () => {
    const { prepareStackTrace, stackTraceLimit } = Error;
    const at = {};
    try {
      Error.stackTraceLimit = FRAMES;
      Error.prepareStackTrace = (_, frames) => frames;
      Error.captureStackTrace(at, stack);
      const frames = Array.isArray(at.stack) ? at.stack : [];
      return frames.map(placeOf).filter((place) => place !== null).slice(0, KEPT);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  const siteOf = (kind) => {
    const at = now();
    const looks = spent < Math.max(FIRST, PART * (at - began)) && sites.size < PLACES;
    const frames = looks ? stack() : [];
    const key = frames.reduce((all, { function: name, file, line }) => `${all}\n${name} ${file}:${line}`, kind);
    let site = sites.get(key);
    if (site === undefined) sites.set(key, site = { kind, stack: frames, asked: 0, came: 0, idle: 0, taken: 0 });
    spent += now() - at;
    return site;
  };

  // What has just come has ended the time in which there was nothing to do.
  const charge = (site) => {
    const total = nodeTiming.idleTime, grown = (total - last) * 1e6;
    if (total - last < LEAST) return;
    last = total;
    idle += grown;
    site.idle += grown;
    for (const pending of waiting) {
      pending.idle += grown;
      pending.queued += grown * pending.open;
    }
  };
  const asked = (id, kind, _, thing) => {
    if (NOBODY.has(kind)) {
      if (kind === 'PROMISE' && (promises += 1) > PROMISES) stop();
      return;
    }
    try {
      const site = siteOf(kind);
      site.asked += 1;
      // An interval comes again and again.
      const known = ONCE.test(kind) && !(kind === 'Timeout' && typeof thing?._repeat === 'number') ? once : lasting;
      known.set(id, { site, at: now() });
      if (known.size > THINGS) known.delete(known.keys().next().value);
    } catch {
      // The program must not notice.
    }
  };
  const came = (id) => {
    const thing = once.get(id) ?? lasting.get(id);
    if (thing === undefined) return;
    const { site, at } = thing;
    site.came += 1;
    if (once.delete(id)) site.taken += now() - at;
    charge(site);
  };
  const things = createHook({ init: asked, before: came });
  things.enable();

  // A function that waits begins with a promise of its own: the one that was made last.
  let made = null, unhook = null;
  const begin = (pending, promise, left) => {
    pending.calls += 1;
    if (over !== null || open.size >= OPEN) return null;
    const call = { pending, at: now(), left };
    const known = open.get(promise);
    if (known === undefined) open.set(promise, [call]);
    else known.push(call);
    pending.open += 1;
    pending.most = Math.max(pending.most, pending.open);
    waiting.add(pending);
    return call;
  };
  const end = ({ pending, at }) => {
    pending.open -= 1;
    pending.taken += now() - at;
    if (pending.open === 0) waiting.delete(pending);
  };
  const settled = (promise) => {
    const calls = open.get(promise);
    if (calls === undefined) return;
    const left = calls.filter((call) => (call.left -= 1) > 0);
    for (const call of calls) if (call.left <= 0) end(call);
    if (left.length > 0) open.set(promise, left);
    else open.delete(promise);
  };
  const isOpen = (promise) => {
    const told = inspect(promise, { depth: 0, customInspect: false, getters: false, maxArrayLength: 0, maxStringLength: 9 });
    return told.slice(0, 200).includes('<pending>');
  };

  function stop() {
    if (over !== null) return;
    over = now();
    things.disable();
    unhook?.();
    [waiting, open, once, lasting].forEach((known) => known.clear());
  }

  const functions = [];
  return {
    // One for each function that is watched.
    pending(place) {
      if (functions.length === 0) {
        const { promiseHooks } = require('v8');
        unhook = promiseHooks?.createHook({ init: (promise) => { made = promise; }, settled });
      }
      const pending = { place, calls: 0, open: 0, most: 0, idle: 0, queued: 0, taken: 0 };
      functions.push(pending);
      return pending;
    },
    entered(pending) {
      const promise = made;
      made = null;
      return promise === null ? null : begin(pending, promise, 1);
    },
    // What it returns is another promise, which ends it later.
    returned(call, value) {
      if (call !== null && types.isPromise(value)) call.left = 2;
    },
    gave(pending, value) {
      const at = now();
      const looks = over === null && spent < Math.max(FIRST, PART * (at - began));
      try {
        if (looks && types.isPromise(value) && isOpen(value)) begin(pending, value, 1);
      } catch {
        // The same.
      }
      spent += now() - at;
    },
    told() {
      const watched = (over ?? now()) - began;
      stop();
      const whole = Math.round;
      const first = (all, of, most) => all.filter((one) => of(one) > 0).sort((a, b) => of(b) - of(a)).slice(0, most);
      return {
        began_ms: whole(timeOrigin), watched_ns: whole(watched), idle_ns: whole(idle),
        sites: first([...sites.values()], (site) => site.idle, SITES).map(({ kind, stack: frames, asked: times, came: ended, ...site }) => ({
          kind, stack: frames, asked: times, came: ended, idle_ns: whole(site.idle), taken_ns: whole(site.taken),
        })),
        functions: first(functions, ({ queued }) => queued, FUNCTIONS).map(({ place, calls, most, ...times }) => ({
          ...place, calls, most, taken_ns: whole(times.taken), idle_ns: whole(times.idle), queued_ns: whole(times.queued),
        })),
      };
    },
  };
};
