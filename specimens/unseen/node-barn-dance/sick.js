'use strict';
// Pairs the guests of a dance; a worker thread keeps the book of who danced with whom.

const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { createHash } = require('crypto');

const GUESTS = 400;

function fillCard(card, round) {
  for (let place = 0; place < card.length; place++) card[place] = (place * 131 + round * 31) % GUESTS;
  return card;
}

class Book {
  constructor() {
    this.danced = new Map();
  }

  // How often two guests met before; counts the new meeting.
  meet(one, other) {
    const key = one < other ? one * GUESTS + other : other * GUESTS + one;
    const before = this.danced.get(key) || 0;
    this.danced.set(key, before + 1);
    return before;
  }
}

function keepBook({ signal, answers }) {
  const flag = new Int32Array(signal);
  const out = new Int32Array(answers);
  const book = new Book();
  parentPort.on('message', (pairs) => {
    if (pairs === null) {
      parentPort.close();
      return;
    }
    for (let place = 0; place < pairs.length; place += 2) out[place / 2] = book.meet(pairs[place], pairs[place + 1]);
    Atomics.add(flag, 0, 1);
    Atomics.notify(flag, 0);
  });
}

class Clerk {
  constructor(capacity) {
    this.signal = new Int32Array(new SharedArrayBuffer(4));
    this.answers = new Int32Array(new SharedArrayBuffer(capacity * 4));
    this.worker = new Worker(__filename, { workerData: { signal: this.signal.buffer, answers: this.answers.buffer } });
    this.asked = 0;
  }

  ask(pairs) {
    this.worker.postMessage(pairs);
    while (Atomics.load(this.signal, 0) === this.asked) Atomics.wait(this.signal, 0, this.asked);
    this.asked += 1;
    return this.answers.subarray(0, pairs.length / 2);
  }

  close() {
    this.worker.postMessage(null);
  }
}

function pairsOf(round) {
  const card = fillCard(new Int32Array(GUESTS), round);
  const pairs = [];
  for (let place = 0; place < GUESTS; place += 2) {
    const one = card[place];
    const other = (card[place + 1] + round * 7) % GUESTS;
    if (one !== other) pairs.push([one, other]);
  }
  return pairs;
}

function score(before, [one, other]) {
  return before === 0 ? 5 : Math.max(0, 3 - before) + ((one + other) % 2);
}

function playRound(clerk, round) {
  let points = 0;
  for (const pair of pairsOf(round)) {
    const [before] = clerk.ask(pair);
    points += score(before, pair);
  }
  return points;
}

function evening(rounds) {
  const clerk = new Clerk(GUESTS);
  const hash = createHash('sha1');
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    const points = playRound(clerk, round);
    total += points;
    hash.update(`${round}:${points};`);
  }
  clerk.close();
  console.log('points', total, 'card', hash.digest('hex').slice(0, 10));
}

if (isMainThread) evening(Number(process.argv[2] || 20));
else keepBook(workerData);
