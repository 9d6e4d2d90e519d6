'use strict';
// Writes the monthly fare statement of a ferry line: one text line for each crossing.
const crypto = require('crypto');

const PORTS = [
  { name: 'Esbjerg', zone: 'Europe/Copenhagen', currency: 'DKK', locale: 'da-DK' },
  { name: 'Harwich', zone: 'Europe/London', currency: 'GBP', locale: 'en-GB' },
  { name: 'Gdynia', zone: 'Europe/Warsaw', currency: 'PLN', locale: 'pl-PL' },
];

function* crossings(count) {
  let state = 12345;
  const roll = (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % limit;
  };
  let moment = Date.UTC(2023, 2, 1, 4, 30);
  for (let number = 0; number < count; number++) {
    moment += (20 + roll(90)) * 60000;
    yield {
      number,
      port: PORTS[roll(PORTS.length)],
      moment,
      passengers: 1 + roll(6),
      cars: roll(3),
      bicycles: roll(2),
      season: roll(10) < 4 ? 'high' : 'low',
    };
  }
}

function fare(crossing) {
  const high = crossing.season === 'high' ? 1.25 : 1;
  const base = crossing.passengers * 1290 + crossing.cars * 4550 + crossing.bicycles * 300;
  return Math.round(base * high);
}

function stamp(crossing) {
  const port = crossing.port;
  const clock = new Intl.DateTimeFormat(port.locale, { timeZone: port.zone, weekday: 'short', day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' });
  return clock.format(crossing.moment);
}

const purses = new Map(PORTS.map((port) => [port, new Intl.NumberFormat(port.locale, { style: 'currency', currency: port.currency })]));

function money(port, cents) {
  return purses.get(port).format(cents / 100);
}

function pad(text, width) {
  return text.length >= width ? text.slice(0, width) : text + ' '.repeat(width - text.length);
}

function render(crossing) {
  const cents = fare(crossing);
  const parts = [
    pad(String(crossing.number), 7),
    pad(crossing.port.name, 10),
    pad(stamp(crossing), 22),
    pad(`${crossing.passengers}p ${crossing.cars}c ${crossing.bicycles}b`, 10),
    money(crossing.port, cents),
  ];
  return { text: parts.join(' | '), cents };
}

class Statement {
  constructor() {
    this.pages = [];
    this.page = [];
    this.totals = new Map();
  }

  add(crossing) {
    const { text, cents } = render(crossing);
    this.page.push(text);
    if (this.page.length === 60) this.turn();
    this.totals.set(crossing.port, (this.totals.get(crossing.port) || 0) + cents);
  }

  turn() {
    if (this.page.length) this.pages.push(this.page.join('\n'));
    this.page = [];
  }

  close() {
    this.turn();
    const seal = crypto.createHash('sha256');
    for (const page of this.pages) seal.update(page);
    const sums = [...this.totals].map(([port, cents]) => `${port.name} ${money(port, cents)}`).sort();
    return { sums, pages: this.pages.length, seal: seal.digest('hex').slice(0, 12) };
  }
}

function main() {
  const statement = new Statement();
  for (const crossing of crossings(Number(process.argv[2]))) statement.add(crossing);
  const { sums, pages, seal } = statement.close();
  console.log(sums.join(', '), pages, seal);
}

main();
