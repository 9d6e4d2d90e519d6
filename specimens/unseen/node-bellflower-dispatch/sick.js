'use strict';
// A print dispatcher: jobs come in waves, each is spooled through three stages, and a stop button can call all of them off.

const crypto = require('crypto');
const { setMaxListeners } = require('events');

const STAGES = ['raster', 'separate', 'plate'];

class Wave {
  constructor(number, size) {
    this.number = number;
    this.size = size;
  }

  * jobs() {
    for (let place = 0; place < this.size; place++) {
      const id = this.number * this.size + place;
      yield { id, sheets: 1 + (id * 7919) % 13, owner: `desk-${(id * 31) % 24}` };
    }
  }
}

/** Resolves after a turn of the loop, or fails as soon as the signal fires. */
function settle(value, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearImmediate(turn);
      reject(signal.reason);
    };
    const turn = setImmediate(() => {
      resolve(value);
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

class Spool {
  constructor(signal) {
    this.signal = signal;
    this.done = 0;
    this.sheets = 0;
    this.perOwner = new Map();
    this.seal = crypto.createHash('sha256');
  }

  async stage(job, name) {
    const plate = Buffer.alloc(64 + job.sheets * 16, (job.id + name.length) & 0xff);
    this.seal.update(plate);
    return settle(plate.length, this.signal);
  }

  async run(job) {
    let bytes = 0;
    for (const name of STAGES) {
      bytes += await this.stage(job, name);
    }
    this.done++;
    this.sheets += job.sheets;
    this.perOwner.set(job.owner, (this.perOwner.get(job.owner) || 0) + bytes);
  }

  heaviest() {
    return [...this.perOwner].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
  }
}

class Meter {
  constructor() {
    this.marks = [];
  }

  /** Keeps the last forty waves and tells the mean of their sheets. */
  mark(sheets) {
    this.marks.push(sheets);
    if (this.marks.length > 40) {
      this.marks.shift();
    }
    return this.marks.reduce((sum, one) => sum + one, 0) / this.marks.length;
  }
}

async function shift(waves, size, stop) {
  const spool = new Spool(stop.signal);
  const meter = new Meter();
  let mean = 0;
  for (let number = 0; number < waves; number++) {
    const running = [];
    for (const job of new Wave(number, size).jobs()) {
      running.push(spool.run(job));
    }
    await Promise.all(running);
    mean = meter.mark(spool.sheets / (number + 1));
  }
  return { spool, mean };
}

async function main() {
  const waves = Number(process.argv[2] || 20);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const onSignal = () => stop.abort(new Error('stopped at the desk'));
  process.once('SIGINT', onSignal);
  const { spool, mean } = await shift(waves, 60, stop);
  process.removeListener('SIGINT', onSignal);
  const [owner, bytes] = spool.heaviest();
  console.log(`jobs ${spool.done} sheets ${spool.sheets} mean ${mean.toFixed(2)} most ${owner} ${bytes} seal ${spool.seal.digest('hex').slice(0, 10)}`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
