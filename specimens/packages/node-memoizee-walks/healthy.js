// Draws up walks between the springs of a valley: each stretch is surveyed once and looked up from then on.
'use strict';
const memoize = require('memoizee');

function height(spring) {
  return 340 + ((spring * 7919) % 620);
}

function survey(stretch) {
  const [from, to] = stretch.split('-').map(Number);
  const climb = Math.max(0, height(to) - height(from));
  const metres = 400 + ((from * 131 + to * 17) % 2600);
  return { metres, minutes: Math.round(metres / 70 + climb / 6) };
}

const stretchBetween = memoize(survey, { primitive: true });

function springs(walk, count, stops) {
  return Array.from({ length: stops }, (_, at) => (walk * 37 + at * at * 11 + at) % count);
}

function plan(walk, count) {
  const along = springs(walk, count, 12);
  let metres = 0;
  let minutes = 0;
  for (let at = 1; at < along.length; at += 1) {
    const stretch = stretchBetween(`${along[at - 1]}-${along[at]}`);
    metres += stretch.metres;
    minutes += stretch.minutes;
  }
  return { walk, metres, minutes };
}

function booklet(walks, count) {
  const plans = Array.from({ length: walks }, (_, walk) => plan(walk, count));
  const longest = plans.reduce((best, next) => (next.metres > best.metres ? next : best));
  const easy = plans.filter((next) => next.minutes < 400).length;
  return `${plans.length} walks, ${easy} of them easy, longest ${longest.metres} m (walk ${longest.walk})`;
}

console.log(booklet(Number(process.argv[2]), 1500));
