'use strict';
// The box office of a theatre: events change the state of the house, and watchers look at it after each one.

const crypto = require('crypto');
const { performance } = require('perf_hooks');

const BLOCKS = ['stalls', 'circle', 'gallery', 'boxes'];
const reducers = {
  reserve(state, { seat, guest }) {
    const place = state.seats[seat];
    if (place.guest) state.turnedAway++;
    else Object.assign(place, { guest, since: state.tick });
  },
  release(state, { seat }) {
    state.seats[seat].guest = null;
  },
  price(state, { block, cents }) {
    state.prices[block] = cents;
  },
  note(state, { seat, text }) {
    const { notes } = state.seats[seat];
    notes.push(text);
    if (notes.length > 3) notes.shift();
  },
};

function openHouse(rows, width) {
  const seats = {};
  for (let row = 0; row < rows; row++) {
    for (let number = 0; number < width; number++) {
      const id = `${row}-${number}`;
      seats[id] = { id, row, number, block: BLOCKS[row % BLOCKS.length], guest: null, since: 0, notes: [], view: { angle: number * 3, far: row } };
    }
  }
  return { tick: 0, turnedAway: 0, seats, prices: { stalls: 4200, circle: 3600, gallery: 1800, boxes: 9000 } };
}

class Store {
  #state;
  #watchers = new Set();

  constructor(state) {
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  watch(watcher) {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  dispatch(event) {
    this.#state.tick++;
    reducers[event.type](this.#state, event);
    for (const watcher of this.#watchers) watcher(this, event);
  }
}

class Till {
  constructor() {
    this.cents = 0;
  }

  look(store, event) {
    if (event.type !== 'reserve') return;
    const { seats, prices } = store.state;
    const place = seats[event.seat];
    if (place.guest === event.guest) this.cents += prices[place.block];
  }
}

class Usher {
  constructor() {
    this.hash = crypto.createHash('sha256');
    this.crowded = 0;
  }

  look(store, event) {
    if (!event.seat) return;
    const { row, number, view } = store.state.seats[event.seat];
    this.hash.update(JSON.stringify({ row, number, view, type: event.type }));
  }
}

class Journal {
  constructor(limit) {
    this.limit = limit;
    this.lines = [];
  }

  look(_, event) {
    const copy = structuredClone(event);
    copy.line = `${event.type} ${event.seat ?? event.block}`;
    this.lines.push(copy);
    if (this.lines.length > this.limit) this.lines.splice(0, this.limit >> 1);
  }
}

function* evening(count, rows, width) {
  let seed = 41;
  const next = (limit) => {
    seed = (Math.imul(seed, 22695477) + 1) >>> 0;
    return (seed >>> 9) % limit;
  };
  for (let number = 0; number < count; number++) {
    const seat = `${next(rows)}-${next(width)}`;
    const dice = next(20);
    if (dice < 9) yield { type: 'reserve', seat, guest: `g${next(5000)}` };
    else if (dice < 13) yield { type: 'release', seat };
    else if (dice < 15) yield { type: 'price', block: BLOCKS[next(4)], cents: 1500 + next(80) * 100 };
    else yield { type: 'note', seat, text: `wish ${next(900)}` };
  }
}

function occupancy(state) {
  const full = {};
  for (const place of Object.values(state.seats)) {
    full[place.block] = (full[place.block] ?? 0) + (place.guest ? 1 : 0);
  }
  return full;
}

function main() {
  const count = Number(process.argv[2] ?? 50);
  const [rows, width] = [30, 28];
  const store = new Store(openHouse(rows, width));
  const till = new Till();
  const usher = new Usher();
  const journal = new Journal(400);
  const watchers = [till, usher, journal].map((one) => store.watch(one.look.bind(one)));
  const began = performance.now();
  for (const event of evening(count, rows, width)) store.dispatch(event);
  for (const leave of watchers) leave();
  if (performance.now() < began) throw new Error('the clock went back');
  const full = occupancy(store.state);
  console.log(till.cents, BLOCKS.map((block) => full[block]).join('/'), store.state.turnedAway, usher.hash.digest('hex').slice(0, 12), journal.lines.length > 0);
}

main();
