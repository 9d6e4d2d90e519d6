'use strict';
// Maple desk: proposes for each misspelt word of a school the nearest words of the dictionary.

const LETTERS = 'abcdefghijklmnoprstuvwz';

class Random {
  constructor(seed) {
    this.state = seed;
  }

  below(limit) {
    this.state = (this.state * 16807) % 2147483647;
    return this.state % limit;
  }

  word() {
    let word = '';
    const length = 5 + this.below(7);
    for (let place = 0; place < length; place += 1) word += LETTERS[this.below(LETTERS.length)];
    return word;
  }
}

// Edit distance with rows that live as long as the desk; stops where it cannot win any more.
class Ruler {
  constructor(longest) {
    this.before = new Uint8Array(longest + 1);
    this.now = new Uint8Array(longest + 1);
  }

  distance(one, other, limit) {
    if (Math.abs(one.length - other.length) >= limit) return limit;
    let { before, now } = this;
    for (let column = 0; column <= other.length; column += 1) before[column] = column;
    for (let row = 1; row <= one.length; row += 1) {
      now[0] = row;
      let least = row;
      const letter = one.charCodeAt(row - 1);
      for (let column = 1; column <= other.length; column += 1) {
        const change = before[column - 1] + (letter === other.charCodeAt(column - 1) ? 0 : 1);
        const step = Math.min(before[column], now[column - 1]) + 1;
        const value = change < step ? change : step;
        now[column] = value;
        if (value < least) least = value;
      }
      if (least >= limit) return limit;
      [before, now] = [now, before];
    }
    return Math.min(before[other.length], limit);
  }
}

class Desk {
  constructor(words) {
    this.words = words;
    this.ruler = new Ruler(32);
    this.known = new Map();
  }

  nearest(word) {
    const known = this.known.get(word);
    if (known) return known;
    let best = null;
    let limit = 32;
    for (const candidate of this.words) {
      const distance = this.ruler.distance(word, candidate, limit);
      if (distance < limit) {
        limit = distance;
        best = candidate;
      }
    }
    const answer = { best, distance: limit };
    this.known.set(word, answer);
    return answer;
  }
}

function misspell(word, random) {
  const place = random.below(word.length);
  const letter = LETTERS[random.below(LETTERS.length)];
  return random.below(2) ? word.slice(0, place) + letter + word.slice(place + 1) : word.slice(0, place) + word.slice(place + 1);
}

function main() {
  const pupils = Number(process.argv[2] || 5);
  const random = new Random(1911);
  const words = Array.from({ length: 9000 }, () => random.word());
  const desk = new Desk(words);
  const timer = setInterval(() => {}, 100);
  let sum = 0;
  let right = 0;
  for (let pupil = 0; pupil < pupils; pupil += 1) {
    const wanted = words[random.below(words.length)];
    const answer = desk.nearest(misspell(misspell(wanted, random), random));
    sum += answer.distance;
    right += answer.best === wanted ? 1 : 0;
  }
  clearInterval(timer);
  console.log(`${pupils} pupils, ${right} right, distance ${sum}`);
}

main();
