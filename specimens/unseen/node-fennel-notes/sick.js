'use strict';
// Fennel notes: a command that says which herbs go well with the one that is named.
const crypto = require('crypto');
const http = require('http'); // the server mode of the real thing
const zlib = require('zlib');

const SYLLABLES = ['fen', 'nel', 'dil', 'la', 'sor', 'rel', 'thy', 'me', 'bor', 'age', 'lov', 'ri', 'ta', 'cu', 'min'];

function herbNames(count) {
  const names = ['fennel'];
  let state = 1597;
  while (names.length < count) {
    let name = '';
    for (let part = 0; part < 4; part += 1) {
      state = (state * 48271) % 2147483647;
      name += SYLLABLES[state % SYLLABLES.length];
    }
    names.push(name);
  }
  return names;
}

// The notes of a herb: twelve strengths from the letters of its name.
function notesOf(name) {
  const digest = crypto.createHash('sha1').update(name).digest();
  return Array.from(digest.subarray(0, 12), (value) => value / 255);
}

class Herb {
  constructor(name, number) {
    this.name = name;
    this.number = number;
    this.notes = notesOf(name);
  }

  harmony(other) {
    let sum = 0;
    for (let note = 0; note < this.notes.length; note += 1) {
      sum += Math.sqrt(this.notes[note] * other.notes[note]) - Math.abs(this.notes[note] - other.notes[note]) * 0.4;
    }
    return sum;
  }
}

class Atlas {
  constructor(names) {
    this.herbs = names.map((name, number) => new Herb(name, number));
    this.pairs = new Map();
    this.buildAtlas();
  }

  pairings(herb) {
    const scores = new Float64Array(this.herbs.length);
    for (const other of this.herbs) scores[other.number] = herb.harmony(other);
    return scores;
  }

  buildAtlas() {
    for (const herb of this.herbs) {
      this.pairs.set(herb.name, this.pairings(herb));
    }
  }

  scoresOf(name) {
    return this.pairs.get(name);
  }
}

class Kitchen {
  constructor(atlas) {
    this.atlas = atlas;
  }

  best(name, count) {
    const scores = this.atlas.scoresOf(name);
    if (!scores) return [];
    return this.atlas.herbs
      .filter((herb) => herb.name !== name)
      .map((herb) => ({ name: herb.name, score: scores[herb.number] }))
      .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
      .slice(0, count);
  }

  card(name) {
    const lines = this.best(name, 5).map((pair) => `  ${pair.name.padEnd(14)} ${pair.score.toFixed(4)}`);
    return [`${name} goes with`, ...lines].join('\n');
  }
}

function loadKitchen() {
  return new Kitchen(new Atlas(herbNames(5200)));
}

const kitchen = loadKitchen();

function main() {
  const card = kitchen.card(process.argv[2] || 'fennel');
  console.log(card);
  console.log(`packed ${zlib.deflateSync(card).length > 20}, methods ${http.METHODS.length > 10}`);
}

main();
