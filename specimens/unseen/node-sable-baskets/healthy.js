// Rebuilds shopping baskets from a shop's event log and finds the ones that were left behind.
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const KINDS = ['view', 'add', 'add', 'remove', 'pay'];

function writeLog(file, visits) {
  const lines = [];
  let state = 7;
  for (let n = 0; n < visits * 6; n++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    lines.push(JSON.stringify({
      at: n,
      visit: `v${(state >>> 8) % visits}`,
      kind: KINDS[(state >>> 20) % KINDS.length],
      article: (state >>> 12) % 500,
      cents: 100 + ((state >>> 16) % 4000),
    }));
  }
  fs.writeFileSync(file, lines.join('\n'));
}

function readLog(file) {
  return fs.readFileSync(file, 'utf8').split('\n').map((line) => JSON.parse(line));
}

function emptyBasket() {
  return { count: 0, cents: 0, paid: false, last: 0 };
}

function apply(basket, event) {
  switch (event.kind) {
    case 'add':
      return { ...basket, count: basket.count + 1, cents: basket.cents + event.cents, last: event.at };
    case 'remove':
      return { ...basket, count: Math.max(0, basket.count - 1), last: event.at };
    case 'pay':
      return { ...basket, paid: basket.count > 0, last: event.at };
    default:
      return { ...basket, last: event.at };
  }
}

function reducer(baskets, event) {
  baskets[event.visit] = apply(baskets[event.visit] ?? emptyBasket(), event);
  return baskets;
}

function rebuild(events) {
  return events.reduce(reducer, {});
}

function leftBehind(baskets, now) {
  return Object.entries(baskets)
    .filter(([, basket]) => !basket.paid && basket.count > 0 && now - basket.last > 50)
    .sort(([, a], [, b]) => b.cents - a.cents || a.last - b.last);
}

// Each reminder carries a code that the shop can check later.
function reminder(visit, basket) {
  const code = crypto.pbkdf2Sync(visit, String(basket.cents), 60, 12, 'sha256').toString('hex');
  return `${visit}: ${basket.count} articles for ${(basket.cents / 100).toFixed(2)} are waiting, code ${code}`;
}

function main() {
  const visits = Number(process.argv[2] ?? 100);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'baskets-'));
  const file = path.join(folder, 'events.log');
  try {
    writeLog(file, visits);
    const events = readLog(file);
    const baskets = rebuild(events);
    const waiting = leftBehind(baskets, events.length);
    const seal = crypto.createHash('sha1');
    for (const [visit, basket] of waiting) seal.update(reminder(visit, basket));
    console.log(`events ${events.length} baskets ${Object.keys(baskets).length} waiting ${waiting.length} seal ${seal.digest('hex').slice(0, 16)}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main();
