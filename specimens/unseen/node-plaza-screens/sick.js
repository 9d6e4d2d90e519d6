// Runs the screens of a market plaza: stalls open and close all day, and the price ticker tells them what changed.
'use strict';

const { EventEmitter } = require('events');

const GOODS = ['figs', 'olives', 'bread', 'trout', 'cheese', 'plums', 'honey', 'mint'];

class Ticker extends EventEmitter {
  constructor() {
    super();
    this.setMaxListeners(0);
    this.prices = new Map(GOODS.map((name, place) => [name, 100 + place * 35]));
    this.changes = 0;
  }

  change(name, step) {
    const price = Math.max(20, this.prices.get(name) + step);
    this.prices.set(name, price);
    this.changes += 1;
    this.emit('price', name, price);
  }
}

class Screen {
  constructor(stall) {
    this.stall = stall;
    this.rows = new Map();
    this.drawn = 0;
  }

  show(name, price) {
    if (!this.rows.has(name)) return;
    this.rows.set(name, price);
    this.drawn += 1;
  }

  text() {
    return [...this.rows].map(([name, price]) => `${name} ${(price / 100).toFixed(2)}`).join(' | ');
  }
}

class Stall {
  constructor(number, ticker) {
    this.number = number;
    this.ticker = ticker;
    this.open = true;
    this.screen = new Screen(this);
    for (let place = 0; place < 3; place += 1) {
      const name = GOODS[(number * 3 + place * 5) % GOODS.length];
      this.screen.rows.set(name, ticker.prices.get(name));
    }
    this.heard = (name, price) => this.hear(name, price);
    ticker.on('price', this.heard);
  }

  hear(name, price) {
    if (this.open) this.screen.show(name, price);
  }

  sell(pieces) {
    let pence = 0;
    for (const [, price] of this.screen.rows) pence += price * pieces;
    return pence;
  }

  close() {
    this.open = false;
    return { letters: this.screen.text().length, drawn: this.screen.drawn };
  }
}

class Plaza {
  constructor(places) {
    this.places = places;
    this.stalls = [];
    this.takings = 0;
    this.letters = 0;
    this.drawn = 0;
  }

  admit(stall) {
    this.stalls.push(stall);
    if (this.stalls.length > this.places) this.dismiss();
  }

  dismiss() {
    const { letters, drawn } = this.stalls.shift().close();
    this.letters += letters;
    this.drawn += drawn;
  }

  trade(pieces) {
    for (const stall of this.stalls) this.takings += stall.sell(pieces);
  }
}

function day(visits) {
  const ticker = new Ticker();
  const plaza = new Plaza(12);
  let state = 1492;
  for (let visit = 0; visit < visits; visit += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    plaza.admit(new Stall(visit, ticker));
    for (let turn = 0; turn < 4; turn += 1) {
      ticker.change(GOODS[(state >>> (8 + turn)) % GOODS.length], ((state >>> (4 + turn)) % 21) - 10);
    }
    plaza.trade(1 + ((state >>> 20) % 4));
  }
  while (plaza.stalls.length > 0) plaza.dismiss();
  return { ticker, plaza };
}

function main() {
  const visits = Number(process.argv[2] || 50);
  const { ticker, plaza } = day(visits);
  const { takings, drawn, letters } = plaza;
  console.log(`${visits} stalls, ${ticker.changes} changes, takings ${takings}, drawn ${drawn}, ${letters} letters`);
}

main();
