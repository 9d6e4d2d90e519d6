// Enters the letters of a morning into a ledger, which one may write at a time.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { promisify } = require('util');
const lockfile = require('lockfile');

const lock = promisify(lockfile.lock);
const unlock = promisify(lockfile.unlock);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stamps-'));
const ledger = path.join(folder, 'ledger.txt');

async function enter(letter) {
  await lock(`${ledger}.lock`, { wait: 60000, pollPeriod: 2 });
  try {
    await fs.promises.appendFile(ledger, `letter ${letter}\n`);
    const entries = await fs.promises.readFile(ledger, 'utf8');
    return entries.length;
  } finally {
    await unlock(`${ledger}.lock`);
  }
}

async function main(letters) {
  const lengths = await Promise.all(Array.from({ length: letters }, (_, letter) => enter(letter)));
  console.log(Math.max(...lengths));
  fs.rmSync(folder, { recursive: true });
}

main(Number(process.argv[2]));
