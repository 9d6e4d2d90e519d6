'use strict';
// Currency desks at an airport: customers open a quotation, which follows the rates until they take it or leave.

const { EventEmitter } = require('node:events');

const CODES = ['CHF', 'CZK', 'DKK', 'GBP', 'HUF', 'JPY', 'NOK', 'PLN', 'SEK', 'USD'];

function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

class RateFeed extends EventEmitter {
  constructor() {
    super();
    this.setMaxListeners(0);
    this.rates = new Map(CODES.map((code, index) => [code, 10000 + index * 1370]));
    this.roll = dice(31);
  }

  tick() {
    const code = CODES[this.roll(CODES.length)];
    const rate = this.rates.get(code) + this.roll(41) - 20;
    this.rates.set(code, rate);
    this.emit('rate', code, rate);
  }
}

/** What a customer wants changed: some notes in several currencies. */
class Quotation {
  constructor(number, wishes, feed) {
    this.number = number;
    this.wishes = wishes;
    this.feed = feed;
    this.parts = new Map();
    this.revisions = 0;
    this.onRate = (code, rate) => this.revise(code, rate);
  }

  open() {
    for (const code of this.wishes.keys()) this.price(code, this.feed.rates.get(code));
    this.feed.on('rate', this.onRate);
    return this;
  }

  price(code, rate) {
    const amount = this.wishes.get(code);
    const margin = amount > 50000 ? 12 : 25;
    this.parts.set(code, Math.round((amount * rate * (1000 + margin)) / 10000000));
  }

  revise(code, rate) {
    if (!this.wishes.has(code)) return;
    this.price(code, rate);
    this.revisions += 1;
  }

  total() {
    let sum = 0;
    for (const part of this.parts.values()) sum += part;
    return sum;
  }

  close() {
    const total = this.total();
    return { number: this.number, total, revisions: this.revisions };
  }
}

class Desk {
  constructor(name, feed, seats) {
    this.name = name;
    this.feed = feed;
    this.seats = seats;
    this.open = [];
    this.closed = 0;
  }

  seat(number, wishes) {
    this.open.push(new Quotation(number, wishes, this.feed).open());
  }

  /** The customer who has waited longest decides when all seats are taken. */
  serve(book) {
    while (this.open.length > this.seats) {
      book.enter(this.name, this.open.shift().close());
      this.closed += 1;
    }
  }

  shut(book) {
    this.seats = 0;
    this.serve(book);
  }
}

class Book {
  constructor() {
    this.turnover = 0;
    this.revisions = 0;
    this.seal = 2166136261;
  }

  enter(desk, { number, total, revisions }) {
    this.turnover += total;
    this.revisions += revisions;
    for (const character of `${desk}:${number}:${total}:${revisions}`) {
      this.seal = Math.imul(this.seal ^ character.charCodeAt(0), 16777619) >>> 0;
    }
  }
}

function wishesOf(roll) {
  const wishes = new Map();
  for (let n = 0; n < 1 + roll(3); n += 1) {
    wishes.set(CODES[roll(CODES.length)], 500 * (1 + roll(300)));
  }
  return wishes;
}

function main() {
  const customers = Number(process.argv[2] ?? 7000);
  const feed = new RateFeed();
  const desks = ['arrivals', 'departures', 'transit'].map((name) => new Desk(name, feed, 6));
  const book = new Book();
  const roll = dice(1009);
  for (let number = 0; number < customers; number += 1) {
    const desk = desks[roll(desks.length)];
    desk.seat(number, wishesOf(roll));
    desk.serve(book);
    for (let n = 0; n < 2; n += 1) feed.tick();
  }
  for (const desk of desks) desk.shut(book);
  const closed = desks.map((desk) => `${desk.name}=${desk.closed}`).join(' ');
  console.log(`${closed} turnover ${book.turnover} revisions ${book.revisions} seal ${book.seal.toString(16)}`);
}

main();
