// Finds which records of a data set changed since yesterday.
'use strict';
const equal = require('deep-equal');

function records(count, day) {
  const records = [];
  for (let id = 0; id < count; id += 1) {
    const changed = day === 1 && id % 10 === 0;
    records.push({ id, name: `record ${id}`, size: { w: id % 7, h: changed ? 1 : 0 }, marks: [1, 2, id % 5], open: true });
  }
  return records;
}

function changes(before, after) {
  let changes = 0;
  for (let at = 0; at < before.length; at += 1) {
    if (!equal(before[at], after[at], { strict: true })) changes += 1;
  }
  return changes;
}

const count = Number(process.argv[2]);
console.log(changes(records(count, 0), records(count, 1)));
