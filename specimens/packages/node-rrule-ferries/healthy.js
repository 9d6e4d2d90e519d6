// Prints the board of a harbour for the coming days: which ferry leaves when. The timetables are recurrence rules.
'use strict';
const { RRule } = require('rrule');

const DAY = 24 * 3600 * 1000;
const TODAY = Date.UTC(2024, 4, 6);

function timetable(lines) {
  return Array.from({ length: lines }, (_, line) => ({
    ferry: `Ferry ${line + 1}`,
    rule: new RRule({
      freq: RRule.DAILY,
      dtstart: new Date(Date.UTC(2016 + (line % 3), line % 12, 2)),
      byhour: [6 + (line % 4), 12, 17 + (line % 3)],
      byminute: [line % 60],
      bysecond: [0],
    }),
  }));
}

function departures(ferry, rule, days) {
  const from = new Date(TODAY);
  const to = new Date(TODAY + days * DAY - 1);
  return rule.between(from, to, true).map((date) => ({ ferry, date }));
}

function board(lines, days) {
  const rows = [];
  for (const { ferry, rule } of timetable(lines)) rows.push(...departures(ferry, rule, days));
  return rows.sort((a, b) => a.date - b.date || a.ferry.localeCompare(b.ferry));
}

function print(rows) {
  const texts = rows.map(({ ferry, date }) => `${date.toISOString().slice(0, 16)} ${ferry}`);
  console.log(texts.length, texts[0], texts[texts.length - 1], texts.join('').length);
}

print(board(Number(process.argv[2]), Number(process.argv[3])));
