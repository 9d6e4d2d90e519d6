'use strict';
// Checks the scanned pages of an archive in threads as they come in from the reading rooms, folder by folder.
const { Piscina, isWorkerThread } = require('piscina');

function checksum(page) {
  let sum = 1;
  for (let at = 0; at < 20000; at += 1) {
    sum = (sum * 31 + page.number + (at ^ page.folder)) % 1000003;
  }
  return sum;
}

function pages(folder) {
  return Array.from({ length: 2 }, (_, number) => ({ folder, number }));
}

function openPool() {
  return new Piscina({ filename: __filename, minThreads: 0, maxThreads: 2, idleTimeout: 5000 });
}

async function checkFolder(pool, folder) {
  const sums = await Promise.all(pages(folder).map((page) => pool.run(page)));
  return sums.reduce((total, sum) => total + sum, 0);
}

function arrival() {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

async function main() {
  const pool = openPool();
  let total = 0;
  for (let folder = 0; folder < Number(process.argv[2]); folder += 1) {
    await arrival();
    total += await checkFolder(pool, folder);
  }
  console.log(total);
  await pool.destroy();
}

if (isWorkerThread) {
  module.exports = checksum;
} else {
  main();
}
