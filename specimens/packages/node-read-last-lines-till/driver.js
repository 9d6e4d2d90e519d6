// Closes a shop's day: reads the last receipts of each till's journal and sums them up.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const readLastLines = require('read-last-lines');

const TILLS = 3;

function receipt(till, number) {
  const cents = 120 + ((number * 7919 + till * 13) % 4800);
  return `${String(number).padStart(7, '0')};till ${till};${cents};${number % 3 ? 'card' : 'cash'};${1 + (number % 9)} articles`;
}

function writeJournals(folder, receipts) {
  return Array.from({ length: TILLS }, (_, till) => {
    const file = path.join(folder, `till-${till}.log`);
    const lines = Array.from({ length: receipts }, (_unused, number) => receipt(till, number));
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
}

async function today(file, count) {
  const text = await readLastLines.read(file, count);
  return text.trimEnd().split('\n').map((line) => line.split(';'));
}

async function takings(files, count) {
  const totals = { card: 0, cash: 0, receipts: 0 };
  for (const file of files) {
    for (const [, , cents, means] of await today(file, count)) {
      totals[means] += Number(cents);
      totals.receipts += 1;
    }
  }
  return totals;
}

async function main(count) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tills-'));
  try {
    const totals = await takings(writeJournals(folder, 8000), count);
    console.log(`${totals.receipts} receipts, card ${totals.card}, cash ${totals.cash}`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main(Number(process.argv[2]));
