'use strict';
// The series that the foundry casts, and the parts of each.

const KINDS = ['soldier', 'wagon', 'engine', 'tree', 'fence', 'horse'];
const FIELDS = ['weight', 'height', 'width', 'depth', 'alloy', 'paint', 'joints', 'gate', 'sprue', 'finish'];

function seriesNames() {
  const names = [];
  for (let year = 1780; year < 2020; year++) for (const kind of KINDS) names.push(`${kind}-${year}`);
  return names;
}

function rulesOf(name) {
  const seed = [...name].reduce((sum, letter) => (sum * 33 + letter.charCodeAt(0)) % 10007, 5);
  return FIELDS.map((field, place) => ({
    field,
    least: (seed * (place + 3)) % 40,
    most: 60 + ((seed * (place + 7)) % 900),
    steps: Array.from({ length: 24 }, (_, step) => ((seed + step * 17) % 97) + 1),
  }));
}

function* parts(series, count) {
  let state = series.length * 7919;
  for (let number = 0; number < count; number++) {
    const part = { name: `${series}/${number}` };
    for (const field of FIELDS) {
      state = (Math.imul(state, 48271) + 11) >>> 0;
      part[field] = state % 1000;
    }
    yield part;
  }
}

module.exports = { seriesNames, rulesOf, parts };
