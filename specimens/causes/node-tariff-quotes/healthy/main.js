'use strict';
// Quotes the postage of parcels and writes their labels.

const crypto = require('crypto');
const { Office } = require('./office');

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

function* parcels(count) {
  const draw = generator(4711);
  for (let number = 0; number < count; number += 1) {
    yield {
      number,
      country: `C${draw(200)}`,
      grams: 50 + draw(18000),
      insured: draw(4) === 0,
      lines: ['To the owner', `${1 + draw(400)} Long Street`, `${10000 + draw(80000)} Town ${draw(999)}`],
    };
  }
}

function barcode(number) {
  let digits = String(number).padStart(12, '0');
  let sum = 0;
  for (let place = 0; place < 12; place += 1) sum += Number(digits[place]) * (place % 2 ? 3 : 1);
  digits += (10 - (sum % 10)) % 10;
  return [...digits].map((digit) => '▏▎▍▌▋▊▉█▐░'[Number(digit)]).join('');
}

function label(parcel, cents) {
  const width = 64;
  const out = [];
  for (const line of [...parcel.lines, parcel.country, barcode(parcel.number), `${(cents / 100).toFixed(2)}`]) {
    const pad = width - line.length;
    out.push(`|${' '.repeat(Math.floor(pad / 2))}${line}${' '.repeat(Math.ceil(pad / 2))}|`);
  }
  return out.join('\n');
}

function main() {
  const count = Number(process.argv[2] || 6000);
  const office = new Office();
  const digest = crypto.createHash('sha256');
  let total = 0;
  for (const parcel of parcels(count)) {
    const cents = office.quote(parcel);
    total += cents;
    digest.update(label(parcel, cents));
  }
  console.log('parcels', count, 'postage', total, digest.digest('hex').slice(0, 16));
}

main();
