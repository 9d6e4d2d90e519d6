// Checks the version ranges that users typed against what is installed.
'use strict';
const semver = require('semver');

function ranges(count) {
  const ranges = [];
  for (let number = 0; number < count; number += 1) {
    const gap = ' '.repeat(number % 10 === 0 ? 15000 : 1);
    ranges.push(`>=1.${number % 20}.0${gap}<3.0.0`);
  }
  return ranges;
}

function matching(ranges) {
  let matching = 0;
  for (const range of ranges) {
    if (semver.satisfies('2.4.1', range)) matching += 1;
  }
  return matching;
}

console.log(matching(ranges(Number(process.argv[2]))));
