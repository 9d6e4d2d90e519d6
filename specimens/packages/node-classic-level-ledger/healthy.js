// Books the day's payments of a bank in a store on disk, which must hold them when the power fails.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { ClassicLevel } = require('classic-level');

function payments(count) {
  return Array.from({ length: count }, (_, at) => ({
    id: `payment-${String(at).padStart(6, '0')}`,
    from: at % 97,
    to: (at * 31) % 89,
    cents: (at * 7919) % 100000,
  }));
}

async function book(ledger, day) {
  const batch = day.map((payment) => ({ type: 'put', key: payment.id, value: payment }));
  await ledger.batch(batch, { sync: true });
}

async function total(ledger) {
  let cents = 0;
  for await (const payment of ledger.values()) cents += payment.cents;
  return cents;
}

async function main(count) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ledger-'));
  const ledger = new ClassicLevel(path.join(folder, 'store'), { valueEncoding: 'json' });
  await ledger.open();
  await book(ledger, payments(count));
  console.log(count, await total(ledger));
  await ledger.close();
  fs.rmSync(folder, { recursive: true });
}

main(Number(process.argv[2]));
