'use strict';
// Adds up the carts of a day by article and prints the ranking.

const crypto = require('crypto');

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 22695477) + 1) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

const SHAPES = ['round', 'flat', 'tall', 'small', 'école', 'über', 'żółty', 'plain'];

function carts(count) {
  const draw = generator(12);
  const out = [];
  for (let number = 0; number < count; number += 1) {
    const lines = [];
    for (let n = 1 + draw(5); n > 0; n -= 1) {
      const article = draw(700);
      lines.push({ article: `${SHAPES[article % SHAPES.length]}-${article}`, pieces: 1 + draw(4), cents: 99 + (article * 37) % 9000 });
    }
    out.push({ number, lines, voucher: draw(10) === 0 });
  }
  return out;
}

function worth(cart) {
  const sum = cart.lines.reduce((total, line) => total + line.pieces * line.cents, 0);
  return cart.voucher ? Math.floor(sum * 0.9) : sum;
}

function totals(lines) {
  return lines.reduce((sums, line) => {
    sums[line.article] = (sums[line.article] || 0) + line.pieces * line.cents;
    return sums;
  }, {});
}

// What the day would have brought with other vouchers.
function forecast(day) {
  let best = 0;
  for (let percent = 1; percent <= 900; percent += 1) {
    let sum = 0;
    for (const cart of day) {
      const full = worth({ lines: cart.lines, voucher: false });
      sum += full > 20000 - percent * 100 ? full - Math.floor((full * percent) / 1000) : full;
    }
    best = Math.max(best, sum % 1000003);
  }
  return best;
}

function byName(names) {
  const collator = new Intl.Collator('de', { numeric: true });
  return [...names].sort(collator.compare);
}

function pages(sums) {
  const out = [];
  const names = byName(Object.keys(sums));
  for (let begin = 0; begin < names.length; begin += 60) {
    const page = names.slice(begin, begin + 60).map((name) => `${name.padEnd(16, '.')}${(sums[name] / 100).toFixed(2).padStart(12)}`);
    out.push(page.join('\n'));
  }
  return out;
}

function report(day) {
  const sums = totals(day.flatMap((cart) => cart.lines));
  const text = pages(sums).join('\n\n');
  const best = Object.entries(sums).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0];
  return { best, articles: Object.keys(sums).length, mark: crypto.createHash('sha1').update(text).digest('hex') };
}

function main() {
  const count = Number(process.argv[2] || 3000);
  const day = carts(count);
  const result = report(day);
  console.log('carts', count, 'worth', day.reduce((sum, cart) => sum + worth(cart), 0));
  console.log('articles', result.articles, 'best', ...result.best);
  console.log('forecast', forecast(day));
  console.log(result.mark);
}

main();
