'use strict';
// A small durable job queue: jobs are taken in lots, run, and their results entered in a journal.
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');

const KINDS = ['thumbnail', 'invoice', 'welcome-mail', 'reindex', 'webhook'];

function random(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

class Journal {
  constructor(file) {
    this.file = file;
    this.fd = fs.openSync(file, 'a');
    this.entries = 0;
    this.bytes = 0;
  }

  append(entry) {
    const body = JSON.stringify(entry);
    const line = Buffer.from(crc(body) + ' ' + body + '\n');
    fs.writeSync(this.fd, line);
    this.entries += 1;
    this.bytes += line.length;
  }

  settle() {
    fs.fdatasyncSync(this.fd);
  }

  close() {
    fs.closeSync(this.fd);
  }
}

function crc(text) {
  return crypto.createHash('md5').update(text).digest('hex').slice(0, 8);
}

function makeJobs(count) {
  const next = random(815);
  const jobs = [];
  for (let id = 1; id <= count; id++) {
    const words = [];
    for (let i = 0; i < 60; i++) words.push(next(100000).toString(36));
    jobs.push({ id, kind: KINDS[next(KINDS.length)], priority: next(3), payload: words.join(' ') });
  }
  return jobs;
}

function* lots(jobs, size) {
  const byPriority = jobs.slice().sort((a, b) => a.priority - b.priority || a.id - b.id);
  for (let at = 0; at < byPriority.length; at += size) yield byPriority.slice(at, at + size);
}

const handlers = {
  thumbnail: (job) => ({ packed: zlib.deflateSync(job.payload, { level: 6 }).length }),
  invoice: (job) => ({ total: [...job.payload].reduce((sum, c) => sum + c.charCodeAt(0), 0) }),
  'welcome-mail': (job) => ({ message: crypto.createHash('sha256').update(job.payload).digest('hex') }),
  reindex: (job) => ({ terms: new Set(job.payload.split(' ')).size }),
  webhook: (job) => ({ signature: crypto.createHmac('sha256', 'k1').update(job.payload).digest('base64') }),
};

function runLot(lot, journal) {
  const results = [];
  for (const job of lot) {
    const result = handlers[job.kind](job);
    journal.append({ id: job.id, kind: job.kind, result });
    results.push({ id: job.id, result });
  }
  journal.settle();
  return results;
}

function replay(file) {
  const text = fs.readFileSync(file, 'utf8');
  let good = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    if (crc(line.slice(9)) === line.slice(0, 8)) good += 1;
  }
  return { good, seal: crc(text) };
}

function main() {
  const count = Number(process.argv[2]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queue-'));
  try {
    const file = path.join(folder, 'journal.log');
    const journal = new Journal(file);
    let acknowledged = 0;
    for (const lot of lots(makeJobs(count), 64)) acknowledged += runLot(lot, journal).length;
    journal.close();
    const { good, seal } = replay(file);
    console.log(`acknowledged=${acknowledged} replayed=${good} bytes=${journal.bytes} seal=${seal}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();
