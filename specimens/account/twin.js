// `twin.js split|sleep [SECONDS]`: the Node twin of split.c and nap.c; the log is described in truth.h.
'use strict';
const fs = require('fs');

const thread = Number(fs.readlinkSync('/proc/thread-self').split('/')[2]);
const entries = new Map();

const wall = () => Number(process.hrtime.bigint()) / 1e9;
const queued = () => Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e9;

// Both at one moment: a thread that lost its CPU between the two reads them again.
function mark() {
  for (;;) {
    const [before, now] = [queued(), wall()];
    if (queued() === before) return { wall: now, queued: before };
  }
}

function note(kind, name, seconds) {
  const key = `${kind} ${name}`;
  entries.set(key, (entries.get(key) || 0) + seconds);
}

// Neither computing nor sleeping here has anything else in it, so what was not queued is the phase's own.
function phase(since, leaf) {
  const now = mark();
  const own = now.wall - since.wall - (now.queued - since.queued);
  note('leaf', 'runnable', now.queued - since.queued);
  note('leaf', leaf, own);
  Object.assign(since, now);
  return own;
}

function heavy() {
  let x = 1;
  for (let i = 0; i < 7000000; i++) x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
  return x;
}

function light() {
  let x = 1;
  for (let i = 0; i < 3000000; i++) x = (Math.imul(x, 1103515245) + 12345) & 0x7fffffff;
  return x;
}

function split(seconds) {
  const at = mark();
  for (let i = 0; i < seconds * 80; i++) {
    heavy();
    note('function', 'heavy', phase(at, 'on-cpu'));
    light();
    note('function', 'light', phase(at, 'on-cpu'));
  }
}

function sleep(seconds) {
  const at = mark();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 10; i++) {
    Atomics.wait(cell, 0, 0, seconds * 100);
    // A wait on a cell of shared memory is one on a futex, with nobody to wake it.
    phase(at, 'blocked');
  }
}

const [mode, seconds] = [process.argv[2], Number(process.argv[3] || 1)];
const began = wall();
({ split, sleep })[mode](seconds);
const lines = [{ wall: wall() - began, thread }];
for (const [key, value] of entries) {
  const [kind, name] = key.split(' ');
  lines.push({ [kind]: name, seconds: value, thread });
}
if (process.env.SLOWPATH_TRUTH) {
  fs.appendFileSync(process.env.SLOWPATH_TRUTH, lines.map((line) => JSON.stringify(line) + '\n').join(''));
}
