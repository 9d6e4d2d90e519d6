// Keeps the state of a signal box: every lever that a signaller pulls arrives as a patch to the picture of the line.
'use strict';
const jsonpatch = require('fast-json-patch');

function line(stations) {
  const picture = { stations: [], pulled: 0 };
  for (let number = 0; number < stations; number += 1) {
    const signals = [];
    for (let arm = 0; arm < 6; arm += 1) {
      signals.push({ name: `s${number}-${arm}`, aspect: 'danger', kilometre: number * 4 + arm / 10 });
    }
    picture.stations.push({ name: `halt ${number}`, platforms: 1 + (number % 4), signals });
  }
  return picture;
}

function* levers(count, stations) {
  for (let number = 0; number < count; number += 1) {
    const arm = `/stations/${(number * 13) % stations}/signals/${number % 6}/aspect`;
    yield [
      { op: 'replace', path: arm, value: ['clear', 'caution', 'danger'][number % 3] },
      { op: 'replace', path: '/pulled', value: number + 1 },
    ];
  }
}

function work(picture, patches) {
  let current = jsonpatch.deepClone(picture);
  for (const patch of patches) {
    current = jsonpatch.applyPatch(current, patch).newDocument;
  }
  return current;
}

function main(count) {
  const stations = 300;
  const drawn = line(stations);
  const picture = work(drawn, levers(count, stations));
  const clear = picture.stations.flatMap((station) => station.signals).filter((signal) => signal.aspect === 'clear');
  console.log(`${picture.pulled} levers pulled, ${clear.length} signals clear, ${drawn.pulled} at first`);
}

main(Number(process.argv[2]));
