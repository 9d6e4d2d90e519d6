'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const chokidar = require('chokidar');

function dropOrders(folder, count) {
  for (let n = 0; n < count; n++) {
    const order = { number: n, amount: (n * 41) % 300, customer: `c-${n % 12}` };
    fs.writeFileSync(path.join(folder, `order-${n}.json`), JSON.stringify(order));
  }
}

function watchInbox(folder) {
  return chokidar.watch(folder, { ignoreInitial: true, depth: 0, awaitWriteFinish: true });
}

function bookOrders(watcher, count) {
  return new Promise((resolve, reject) => {
    const customers = new Set();
    let booked = 0;
    let turnover = 0;
    watcher.on('error', reject);
    watcher.on('add', (file) => {
      const order = JSON.parse(fs.readFileSync(file, 'utf8'));
      customers.add(order.customer);
      turnover += order.amount;
      booked += 1;
      if (booked === count) resolve({ booked, turnover, customers: customers.size });
    });
  });
}

async function main() {
  const count = Number(process.argv[2]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inbox-'));
  const watcher = watchInbox(folder);
  try {
    await new Promise((resolve) => watcher.on('ready', resolve));
    const done = bookOrders(watcher, count);
    dropOrders(folder, count);
    const result = await done;
    console.log(`orders=${result.booked} turnover=${result.turnover} customers=${result.customers}`);
  } finally {
    await watcher.close();
    fs.rmSync(folder, { recursive: true });
  }
}

main();
