// Rings up the customers of a shop and keeps a line about each step in a file.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const pino = require('pino');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'checkouts-'));
const file = path.join(folder, 'shop.log');
const destination = pino.destination({ dest: file, sync: true, minLength: 8192 });
const log = pino({ base: null }, destination);

function checkout(customer) {
  const items = (customer * 7) % 5 + 1;
  let total = 0;
  for (let item = 0; item < items; item += 1) {
    const price = (customer * 31 + item * 17) % 90 + 1;
    total += price;
    log.info({ customer, item, price }, 'scanned');
  }
  log.info({ customer, total }, 'paid');
  return total;
}

function day(customers) {
  let takings = 0;
  for (let customer = 0; customer < customers; customer += 1) {
    takings += checkout(customer);
  }
  return takings;
}

const takings = day(Number(process.argv[2]));
destination.flushSync();
const lines = fs.readFileSync(file, 'utf8').split('\n').length - 1;
console.log(takings, lines);
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
