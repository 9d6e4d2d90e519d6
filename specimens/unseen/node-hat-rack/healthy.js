'use strict';
// A theatre's cloakroom for hats: guests hand them in, the attendant looks for gaps, guests fetch them again.

const { createHash } = require('crypto');

const RACKS = 24;
const PEGS = 250;

class Noise {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  below(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }
}

function makeHat(number) {
  return {
    number,
    owner: undefined,
    brim: 3 + (number * 7) % 9,
    height: 8 + (number * 5) % 14,
    size: 52 + (number * 3) % 11,
    wear: 0,
  };
}

class Rack {
  constructor(first) {
    this.hats = [];
    for (let peg = 0; peg < PEGS; peg++) this.hats.push(makeHat(first + peg));
  }

  handIn(peg, guest) {
    const hat = this.hats[peg];
    hat.owner = guest;
    hat.wear += 1;
    return hat;
  }

  fetch(peg) {
    const hat = this.hats[peg];
    const guest = hat.owner;
    hat.owner = undefined;
    return guest;
  }

  // Room that the hats on this rack take, brims overlapping by a third.
  room() {
    let room = 0;
    for (const hat of this.hats) {
      if (hat.owner === undefined) continue;
      room += hat.brim * 2 - hat.brim / 3 + hat.height * 0.1;
    }
    return room;
  }

  // The peg whose hat fits a head best and is free.
  bestFor(head) {
    let best = -1;
    let gap = Infinity;
    for (let peg = 0; peg < this.hats.length; peg++) {
      const hat = this.hats[peg];
      if (hat.owner !== undefined) continue;
      const away = Math.abs(hat.size - head) * 4 + hat.wear * 0.01 + hat.brim * 0.001;
      if (away < gap) {
        gap = away;
        best = peg;
      }
    }
    return best;
  }
}

function ticket(hash, rack, peg, guest) {
  hash.update(`${rack}-${peg}-${guest};`);
}

function evening(racks, guests, noise, hash) {
  let room = 0;
  const held = [];
  for (let guest = 0; guest < guests; guest++) {
    const rack = noise.below(RACKS);
    const peg = racks[rack].bestFor(52 + noise.below(11));
    if (peg >= 0) {
      racks[rack].handIn(peg, guest + 1);
      held.push([rack, peg]);
      ticket(hash, rack, peg, guest);
    }
    room += racks[rack].room();
  }
  for (const [rack, peg] of held) room += racks[rack].fetch(peg) % 3;
  return room;
}

function main() {
  const evenings = Number(process.argv[2] || 3);
  const racks = [];
  for (let rack = 0; rack < RACKS; rack++) racks.push(new Rack(rack * PEGS));
  const noise = new Noise(31);
  const hash = createHash('sha1');
  let room = 0;
  for (let night = 0; night < evenings; night++) room += evening(racks, 2000, noise, hash);
  console.log('evenings', evenings, 'room', Math.round(room), 'tickets', hash.digest('hex').slice(0, 12));
}

main();
