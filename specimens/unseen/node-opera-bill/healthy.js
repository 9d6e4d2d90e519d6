'use strict';
// Puts the playbills of an opera house in order and finds the longest pauses between two nights of one work.

const { createHash } = require('crypto');

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December'];
const WORKS = ['Fidelio', 'Norma', 'Aida', 'Carmen', 'Lakme', 'Otello', 'Tosca', 'Manon', 'Werther', 'Mignon'];
const SINGERS = ['Malibran', 'Pasta', 'Lind', 'Patti', 'Melba', 'Rubini', 'Lablache', 'Tamburini'];

function* bills(count) {
  let state = 4242;
  const draw = (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 9) % limit;
  };
  for (let number = 0; number < count; number++) {
    const day = 1 + draw(28);
    const month = MONTHS[draw(12)];
    const year = 1860 + draw(40);
    const hour = 17 + draw(4);
    yield {
      number,
      work: WORKS[draw(WORKS.length)],
      singer: SINGERS[draw(SINGERS.length)],
      printed: `${day} ${month} ${year}, ${hour}:${draw(2) ? '30' : '00'}`,
      seats: 300 + draw(900),
    };
  }
}

// The printed date as minutes since 1800.
function moment(printed) {
  const found = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4}), (\d{2}):(\d{2})$/.exec(printed);
  if (!found) throw new Error(`no date in ${printed}`);
  const [, day, month, year, hour, minute] = found;
  const days = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day)) - Date.UTC(1800, 0, 1);
  return days / 60000 + Number(hour) * 60 + Number(minute);
}

function inOrder(list) {
  const dated = list.map((bill) => ({ bill, at: moment(bill.printed) }));
  dated.sort((one, other) => one.at - other.at || one.bill.number - other.bill.number);
  return dated.map(({ bill }) => bill);
}

function longestPause(ordered) {
  const last = new Map();
  let longest = { pause: 0, work: '' };
  for (const bill of ordered) {
    const now = moment(bill.printed);
    const before = last.get(bill.work);
    if (before !== undefined && now - before > longest.pause) longest = { pause: now - before, work: bill.work };
    last.set(bill.work, now);
  }
  return longest;
}

function takings(ordered) {
  const bySinger = new Map();
  for (const bill of ordered) {
    const sum = bySinger.get(bill.singer) || { nights: 0, seats: 0 };
    sum.nights += 1;
    sum.seats += bill.seats;
    bySinger.set(bill.singer, sum);
  }
  return [...bySinger].sort((one, other) => other[1].seats - one[1].seats);
}

function seal(ordered) {
  const hash = createHash('sha256');
  for (const bill of ordered) hash.update(`${bill.number} ${bill.work} ${bill.printed}\n`);
  return hash.digest('hex').slice(0, 12);
}

function main() {
  const count = Number(process.argv[2] || 1000);
  const list = [...bills(count)];
  const ordered = inOrder(list);
  const { pause, work } = longestPause(ordered);
  const [best] = takings(ordered);
  console.log('bills', count, 'pause', pause, work, 'best', best[0], best[1].seats, 'seal', seal(ordered));
}

main();
