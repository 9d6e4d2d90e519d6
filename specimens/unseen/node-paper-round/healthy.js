'use strict';
// A paper round: every house gets its paper, while the bell at the shop still has to be answered.

const { EventEmitter } = require('events');
const { createHash } = require('crypto');
const { setTimeout: pause } = require('timers/promises');

const PAPERS = ['Courier', 'Echo', 'Gazette', 'Herald', 'Mercury'];

class Shop extends EventEmitter {
  constructor() {
    super();
    this.rings = 0;
    this.bell = setInterval(() => this.emit('ring'), 40);
    this.on('ring', () => {
      this.rings += 1;
    });
  }

  close() {
    clearInterval(this.bell);
    this.removeAllListeners();
  }
}

class Street {
  constructor(number, houses) {
    this.number = number;
    this.houses = [];
    for (let house = 0; house < houses; house++) {
      this.houses.push({ number: house + 1, wants: (house * 7 + number * 3) % PAPERS.length, steps: 4 + (house * 11) % 23 });
    }
  }
}

// Folds a paper so that it goes through the slot: the width of the slot decides how often.
function fold(house, paper) {
  let width = 600 + paper.length * 13;
  let folds = 0;
  const slot = 40 + (house.number * 17) % 60;
  while (width > slot) {
    width = width / 2 + (folds % 3);
    folds += 1;
  }
  return folds;
}

function deliver(house, hash) {
  const paper = PAPERS[house.wants];
  const folds = fold(house, paper);
  hash.update(`${house.number}${paper}${folds}`);
  return folds * 3 + house.steps;
}

class Carrier {
  constructor(shop) {
    this.shop = shop;
    this.seconds = 0;
    this.papers = 0;
    this.hash = createHash('md5');
  }

  // Lets others have their turn.
  async rest() {
    await pause(0);
  }

  async walk(street) {
    for (const house of street.houses) {
      this.seconds += deliver(house, this.hash);
      this.papers += 1;
    }
    await this.rest();
  }
}

function summary(carrier, streets) {
  const houses = streets.reduce((sum, street) => sum + street.houses.length, 0);
  return `houses ${houses} papers ${carrier.papers} seconds ${carrier.seconds} seal ${carrier.hash.digest('hex').slice(0, 10)}`;
}

async function main() {
  const count = Number(process.argv[2] || 3);
  const streets = [];
  for (let number = 0; number < count; number++) streets.push(new Street(number, 48));
  const shop = new Shop();
  const carrier = new Carrier(shop);
  for (const street of streets) await carrier.walk(street);
  shop.close();
  console.log(summary(carrier, streets));
}

main();
