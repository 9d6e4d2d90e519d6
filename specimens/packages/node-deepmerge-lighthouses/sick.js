// Puts the reports of the lighthouse keepers of a coast together to one register, in the order in which they come in.
'use strict';
const merge = require('deepmerge');

const COASTS = ['north', 'east', 'west'];

function* reports(count) {
  for (let number = 0; number < count; number += 1) {
    const light = `light ${(number * 7) % 400}`;
    const coast = COASTS[((number * 7) % 400) % COASTS.length];
    yield {
      [coast]: {
        [light]: {
          lamp: { hours: number, wick: number % 3 === 0 },
          fog: { [`bell ${number % 4}`]: number % 60 },
          seen: { ships: number % 17 },
        },
      },
    };
  }
}

function register(count) {
  let whole = {};
  for (const report of reports(count)) {
    whole = merge(whole, report);
  }
  return whole;
}

function bells(whole) {
  let count = 0;
  let strokes = 0;
  for (const lights of Object.values(whole)) {
    for (const { fog } of Object.values(lights)) {
      for (const minutes of Object.values(fog)) {
        count += 1;
        strokes += minutes;
      }
    }
  }
  return { count, strokes };
}

function main(count) {
  const whole = register(count);
  const { count: rung, strokes } = bells(whole);
  console.log(`${Object.keys(whole).length} coasts, ${rung} bells, ${strokes} strokes`);
}

main(Number(process.argv[2]));
