// Cleans what users typed or pasted into a form, and counts what is left.
'use strict';
const _ = require('lodash');

function entries(count) {
  const entries = [];
  for (let number = 0; number < count; number += 1) {
    const gap = ' '.repeat(number % 8 === 0 ? 12000 : 3);
    entries.push(`  Name${gap}Street ${number}\t`);
  }
  return entries;
}

function clean(entries) {
  let left = 0;
  for (const entry of entries) {
    left += _.trim(entry).length;
  }
  return left;
}

console.log(clean(entries(Number(process.argv[2]))));
