'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { onExit } = require('signal-exit');
const writeFileAtomic = require('write-file-atomic');

function* products(count) {
  for (let n = 0; n < count; n++) {
    yield {
      id: `p-${n}`,
      title: `Product ${n}`,
      price: 5 + (n * 37) % 400,
      tags: ['shop', n % 3 ? 'regular' : 'sale', `shelf-${n % 20}`],
    };
  }
}

function writePage(folder, product) {
  const body = JSON.stringify(product, null, 2) + '\n';
  const file = path.join(folder, `${product.id}.json`);
  writeFileAtomic.sync(file, body, { fsync: false });
  return body.length;
}

function exportCatalogue(folder, count) {
  let bytes = 0;
  for (const product of products(count)) bytes += writePage(folder, product);
  return bytes;
}

function main() {
  const count = Number(process.argv[2]);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'catalogue-'));
  onExit(() => fs.rmSync(folder, { recursive: true, force: true }));
  const bytes = exportCatalogue(folder, count);
  console.log(`pages=${fs.readdirSync(folder).length} bytes=${bytes}`);
}

main();
