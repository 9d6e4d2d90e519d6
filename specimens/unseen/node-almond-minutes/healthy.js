'use strict';
// Typesets the minutes of a town council: speeches are folded into lines, pages are numbered, and the whole is hashed.

const crypto = require('crypto');

const WORDS = ('the mayor moves that council agree on repair of north bridge before winter and asks for vote on budget '
  + 'of parks while members object to noise at night market near school').split(' ');
const SPEAKERS = ['Adler', 'Brunn', 'Castor', 'Dell', 'Eng', 'Falk', 'Greve'];

class Draw {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }
}

/** The clerk's shorthand: one record for each speech. */
class Session {
  constructor(speeches) {
    this.speeches = speeches;
    this.draw = new Draw(77);
  }

  * records() {
    for (let number = 0; number < this.speeches; number++) {
      const words = [];
      for (let left = 8 + this.draw.next(30); left > 0; left--) {
        words.push(WORDS[this.draw.next(WORDS.length)]);
      }
      const mood = this.draw.next(9);
      yield { number, speaker: SPEAKERS[this.draw.next(SPEAKERS.length)], words, heckled: mood === 0, quote: mood === 4 };
    }
  }
}

/** The running text: takes care of blanks and of the ends of sentences. */
class Galley {
  constructor() {
    this.text = '';
    this.sentences = 0;
    this.column = 0;
  }

  word(word) {
    if (this.column > 0) {
      if (this.column + word.length > 72) {
        this.text += '\n';
        this.column = 0;
      } else {
        this.text += ' ';
        this.column++;
      }
    }
    this.text += word;
    this.column += word.length;
  }

  stop(mark) {
    this.text += mark;
    this.column++;
    this.sentences++;
  }

  paragraph() {
    this.text += '\n';
    this.column = 0;
  }
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function set(galley, record) {
  galley.word(`${record.speaker}:`);
  record.words.forEach((word, place) => {
    let shown = place === 0 ? capital(word) : word;
    if (record.quote && place === 0) {
      shown = `\u201e${shown}`;
    }
    galley.word(shown);
  });
  galley.stop(record.quote ? '.\u201c' : '.');
  if (record.heckled) {
    galley.word('(Unrest)');
  }
  galley.paragraph();
}

/** Cuts the text into pages of fifty lines and adds up how full they are. */
function pages(text) {
  const lines = text.split('\n');
  const fill = [];
  for (let start = 0; start < lines.length; start += 50) {
    const page = lines.slice(start, start + 50);
    const used = page.reduce((sum, line) => sum + line.trimEnd().length, 0);
    fill.push(Math.round(used * 100 / (50 * 72)));
  }
  return fill;
}

function register(text) {
  const seen = new Map();
  for (const match of text.matchAll(/^(\p{Lu}\p{Ll}+):/gmu)) {
    seen.set(match[1], (seen.get(match[1]) || 0) + 1);
  }
  return [...seen].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

function main() {
  const speeches = Number(process.argv[2] || 100);
  const galley = new Galley();
  for (const record of new Session(speeches).records()) {
    set(galley, record);
  }
  const fill = pages(galley.text);
  const [first] = register(galley.text);
  const mean = fill.reduce((sum, one) => sum + one, 0) / fill.length;
  const digest = crypto.createHash('sha1').update(galley.text).digest('hex').slice(0, 10);
  console.log(`sentences ${galley.sentences} pages ${fill.length} fill ${mean.toFixed(1)} most ${first[0]} ${first[1]} hash ${digest}`);
}

main();
