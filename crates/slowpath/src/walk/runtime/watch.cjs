// Started by slowpath's hook in the target's own Node: watches calls of functions whose files slowpath has laid ready with
// a watch in each, and tells which calls repeat and which take longer the more there is.
'use strict';
module.exports = (table, now, loop) => {
  // Of one function, the first calls are all timed; later on so many of those that there were.
  const FIRST = 1000, PART = 500;
  // The first calls are all asked whether they repeat, later on so many of each so many.
  const EAGER = 40000, TURN = 10000, ASKED = 1000;
  // Of what calls are given half is left out after so many calls, always the same half: what comes again is known again. What
  // has so large a part of the calls stays, and is counted apart; so few inputs are not halved.
  const HALVED = 1000, OFTEN = 0.05, INPUTS = 16;
  // Calls inside each other that show that a function calls itself.
  const NESTED = 10;
  // Calls of one function that are looked at.
  const CALLS = 8000;
  // Watched calls inside each other: each stands on the stack three times. Whoever goes deeper is left alone for so long.
  const DEEPEST = 300, ALONE = 1000;
  // Calls of all functions that are looked at: some 400 bytes each.
  const ALL_CALLS = 100000;
  // Values that are compared, for one function and in all: half a second. And of what is left, for one call.
  const VALUES = 400000, ALL_VALUES = 5000000, SHARE = 8;
  // Names of an object that are listed in the time of a value.
  const NAMES = 4;
  // Lists with more in them are told by so many places.
  const VAST = 2000, PLACES = 32;
  // How far data and objects are looked into.
  const DEPTH = 8, STATE = 3;
  // Results made of objects that are compared for one function.
  const KEPT = 64;
  // A field with more in it is told by how much, and by its ends.
  const FIELD = 100;
  // A call that takes less, in nanoseconds, is not worth keeping the result of, unless it walks through something.
  const WORTH = 1000;
  // Calls one after the other, among which one takes long by chance: it met the collector, or another program.
  const NEAR = 64, CHANCE = 8;
  // A result of fewer parts or letters is often the same by chance.
  const LARGE = 8, LONG = 64;
  // Fewer letters at its ends do not tell whether a text is the one of before with more, or less, of it.
  const ENDS = 64;
  // A container gets or loses up to so many from one call to the next, or a quarter.
  const STEP = 8;
  // Different things that calls are given by turns: a list for each day, a node for each shelf.
  const RECENT = 64;
  // Calls and lengths that show whether time goes with them, and calls of about one length.
  const COSTED = 24, LENGTHS = 3, ALIKE = 4;
  // A call that takes so many times less than those before it begins anew.
  const ROUND = 4;
  // Of all calls, where something holds for them but for a few.
  const MOSTLY = 0.8;

  const { types } = require('util');
  const began = now();
  let left = ALL_VALUES;
  // What watching took itself, which is nobody's call.
  let spent = 0;
  // The innermost watched call, and how many are around it.
  let current = null, depth = 0;
  let room = ALL_CALLS;

  // Which object it is; which name of a field or large number, and which symbol.
  const numbers = new WeakMap(), texts = new Map(), symbols = new Map();
  let objects = 0;
  const numberOf = (value) => {
    let number = numbers.get(value);
    if (number === undefined) numbers.set(value, number = objects += 1);
    return number;
  };
  const numberIn = (known, value) => {
    let number = known.get(value);
    if (number === undefined) known.set(value, number = known.size + 1);
    return number;
  };

  const floats = new Float64Array(1), halves = new Int32Array(floats.buffer);
  let one = 0, other = 0;
  const put = (number) => {
    one = Math.imul(one ^ number, 0x85ebca6b) + 0x165667b1 | 0;
    one ^= one >>> 13;
    other = Math.imul(other + number | 0, 0xc2b2ae35) ^ 0x27d4eb2f;
    other ^= other >>> 16;
  };
  const putNumber = (kind, number) => {
    put(kind);
    if ((number | 0) === number) put(number);
    else {
      floats[0] = number;
      put(halves[0]);
      put(halves[1]);
    }
  };

  // A text is told letter by letter: a piece of a long one keeps all of it alive for as long as somebody has the piece.
  const putLetters = (text, from, to) => {
    for (let at = Math.max(from, 0); at < to; at += 1) put(text.charCodeAt(at));
  };

  const isPlain = (value) => {
    const above = Object.getPrototypeOf(value);
    return above === Object.prototype || above === null;
  };
  // Data is what it holds; anything else is one thing of its own.
  const isData = (value) => typeof value === 'object' && value !== null && !types.isProxy(value)
    && (Array.isArray(value) || isPlain(value) || types.isMap(value) || types.isSet(value)
      || types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value));
  const isValue = (value) => (typeof value !== 'object' && typeof value !== 'function') || value === null
    || types.isDate(value) || types.isRegExp(value);

  // How many of each there are, whatever a class of the program's makes of it.
  const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
  const setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
  const sizeOf = (value) => {
    if (typeof value === 'string' || Array.isArray(value)) return value.length;
    if (types.isMap(value)) return mapSize.call(value);
    if (types.isSet(value)) return setSize.call(value);
    if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) return value.byteLength;
    const { length } = Object.keys(value);
    left -= length / NAMES;
    return length;
  };

  // Adds what an object holds, without calling anything of the program. False when it is too much.
  const putFields = (value, depth, states) => {
    const names = Reflect.ownKeys(value);
    left -= names.length;
    if (left < 0) return false;
    for (const name of names) {
      const field = Reflect.getOwnPropertyDescriptor(value, name);
      putNumber(1, typeof name === 'string' ? numberIn(texts, name) : numberIn(symbols, name));
      if (!putValue('value' in field ? field.value : field.get, depth - 1, states)) return false;
    }
    return true;
  };
  // A function that a result holds is made anew with it: what it was written as tells, not which one it is.
  let isResult = false;
  const putFunction = (value) => {
    if (!isResult || numbers.has(value) || types.isProxy(value)) {
      putNumber(8, numberOf(value));
      return;
    }
    const text = Function.prototype.toString.call(value);
    left -= 4;
    putNumber(23, text.length);
    putLetters(text, 0, Math.min(ENDS, text.length));
  };
  // `states`: how many levels of objects are told by what they hold. Objects inside data are not told otherwise.
  const putValue = (value, depth, states) => {
    left -= 1;
    switch (typeof value) {
      case 'number': putNumber(2, value); return true;
      case 'boolean': putNumber(3, value ? 1 : 0); return true;
      case 'undefined': put(4); return true;
      case 'string':
        putNumber(5, value.length);
        left -= value.length / 8;
        if (left < 0) return false;
        putLetters(value, 0, value.length);
        return true;
      case 'bigint': putNumber(6, numberIn(texts, String(value))); return true;
      case 'symbol': putNumber(7, numberIn(symbols, value)); return true;
      case 'function': putFunction(value); return true;
      default:
    }
    if (value === null) {
      put(9);
      return true;
    }
    if (types.isProxy(value)) {
      putNumber(10, numberOf(value));
      return states > 0;
    }
    if (types.isDate(value)) {
      putNumber(11, Date.prototype.getTime.call(value));
      return true;
    }
    if (types.isRegExp(value)) {
      putNumber(12, numberIn(texts, RegExp.prototype.toString.call(value)));
      return true;
    }
    if (left < 0 || depth === 0) return false;
    if (Array.isArray(value)) {
      putNumber(13, value.length);
      if (value.length > left) return false;
      for (let at = 0; at < value.length; at += 1) if (!putValue(value[at], depth - 1, states)) return false;
      return true;
    }
    if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) {
      const bytes = ArrayBuffer.isView(value)
        ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
      left -= bytes.length / 8;
      if (left < 0) return false;
      putNumber(14, bytes.length);
      for (let at = 0; at < bytes.length; at += 1) put(bytes[at]);
      return true;
    }
    if (types.isMap(value) || types.isSet(value)) {
      putNumber(15, sizeOf(value));
      if (sizeOf(value) > left) return false;
      const entries = types.isMap(value) ? Map.prototype.entries : Set.prototype.values;
      for (const entry of entries.call(value)) if (!putValue(entry, depth - 1, states)) return false;
      return true;
    }
    if (isPlain(value)) {
      put(16);
      return putFields(value, depth, states);
    }
    if (states <= 0) return false;
    putNumber(17, numberOf(Object.getPrototypeOf(value)));
    // Too deep to tell two apart that were made of the same input and are alike so far.
    return states === 1 || putFields(value, depth, states - 1);
  };
  // A number for what is added meanwhile; null when something was too much.
  const sum = (add) => {
    one = 0x2545f491;
    other = 0x61c88647;
    return add() ? (one >>> 0) * 0x200000 + (other >>> 11) : null;
  };

  const putEnds = (value) => {
    putNumber(20, sizeOf(value));
    if (!Array.isArray(value)) return;
    for (const end of [value[0], value[value.length - 1]]) {
      if (isValue(end)) putValue(end, 1, 0);
      else putNumber(21, numberOf(end));
    }
  };
  // Its own fields: data by what it holds, or how much where that is too much. A proxy would ask the program.
  const held = (value) => (types.isProxy(value) ? 0 : sum(() => {
    for (const name of Reflect.ownKeys(value).slice(0, 50)) {
      const { value: field } = Reflect.getOwnPropertyDescriptor(value, name);
      if (isData(field) && sizeOf(field) > FIELD) putEnds(field);
      else if (isData(field) && !putValue(field, 3, 0)) put(sizeOf(field));
      else if (isValue(field)) putValue(field, 1, 0);
      else if (!isData(field)) putNumber(18, numberOf(field));
    }
    return true;
  }));

  // Too much to go through at each call: it is the same while it is the same object, as long, and has the same in many places.
  const putVast = (value) => {
    putNumber(24, numberOf(value));
    putNumber(13, value.length);
    const step = Math.floor(value.length / PLACES);
    for (let at = 0; at < value.length; at += step) if (!putValue(value[at], STATE, 0)) return false;
    return true;
  };

  // Objects that this call is the first to be given: which they are says nothing, what they hold does.
  let newcomers = [];
  const kindOf = (thing) => {
    const above = Object.getPrototypeOf(thing);
    return above === null ? 0 : numberOf(above);
  };
  const isNew = (value) => typeof value === 'object' && !numbers.has(value) && !types.isProxy(value);

  // What a call is given, as far as it tells two calls apart. Null when that is too much.
  const inputOf = (self, given) => {
    let isText = false, asked = false, isWalk = false;
    const things = [];
    if (self !== undefined && self !== null && self !== globalThis) things.push(self);
    const key = sum(() => {
      for (const value of given) {
        if (isValue(value) || isData(value)) {
          isText ||= typeof value === 'string' || isData(value);
          isWalk ||= isData(value);
          asked ||= typeof value === 'number' || typeof value === 'string' || isData(value);
          if (Array.isArray(value) && value.length > VAST) {
            if (!putVast(value)) return false;
          } else if (!putValue(value, DEPTH, 0)) return false;
        } else {
          things.push(value);
        }
      }
      for (const thing of things) {
        if (newcomers.includes(thing)) putNumber(22, kindOf(thing));
        else putNumber(19, typeof thing === 'object' || typeof thing === 'function' ? numberOf(thing) : 0);
      }
      return true;
    });
    if (key === null) return null;
    // With what the objects hold: when that changes, it is not the same input any more.
    const state = things.length > 0 ? things.map((thing) => held(Object(thing))) : null;
    return { key: state === null ? key : `${key} ${state.join(' ')}`, things, state, asked, isText, isWalk, isEmpty: !things.length && !given.length };
  };

  // A number that is the same for the same input, and quickly found.
  const about = (self, given) => {
    one = 0x2545f491;
    other = 0;
    newcomers = [];
    if (self !== undefined && self !== null && self !== globalThis) putAbout(self);
    for (let at = 0; at < given.length; at += 1) putAbout(given[at]);
    one = Math.imul(one ^ one >>> 16, 0x21f0aaad);
    return one ^ one >>> 15;
  };
  const putAbout = (value) => {
    switch (typeof value) {
      case 'number': putNumber(2, value); break;
      case 'string':
        putNumber(5, value.length);
        putLetters(value, value.length - 8, value.length);
        break;
      case 'boolean': put(value ? 1 : 0); break;
      case 'function': put(numberOf(value)); break;
      case 'object':
        if (value === null) put(9);
        else if (types.isProxy(value)) put(10);
        else if (Array.isArray(value)) {
          put(value.length);
          const last = value[value.length - 1];
          if (typeof last === 'string' || typeof last === 'number') putAbout(last);
        } else if (types.isDate(value)) putNumber(11, Date.prototype.getTime.call(value));
        else if (isData(value)) putAboutData(value);
        else if (!isValue(value) && isNew(value)) {
          newcomers.push(value);
          put(kindOf(value));
        } else if (!isValue(value)) put(numberOf(value));
        break;
      default:
    }
  };

  // How much it holds, and the first of it.
  const putAboutData = (value) => {
    if (!isPlain(value)) {
      put(sizeOf(value));
      return;
    }
    const names = Reflect.ownKeys(value);
    left -= names.length / NAMES;
    put(names.length);
    for (let at = 0; at < Math.min(names.length, 3); at += 1) {
      const { value: field } = Reflect.getOwnPropertyDescriptor(value, names[at]);
      if (typeof field === 'string' || typeof field === 'number') putAbout(field);
    }
  };

  const resultOf = (value, states) => {
    isResult = true;
    try {
      return sum(() => putValue(value, DEPTH, states));
    } finally {
      isResult = false;
    }
  };

  // Whether a call had the input and the result of an earlier one.
  const compare = (watched, input, value) => {
    if (watched.changes) return;
    // Without a result it was called for what it does, and doing it again is not in vain; a package that is handed data
    // for that long checks it.
    if (value === undefined && (watched.own || !input.isText)) return;
    if (types.isPromise(value)) return;
    if (typeof value === 'boolean' && !input.asked) return;
    const isThing = typeof value === 'object' && value !== null;
    if (input.isEmpty && !isThing && !(typeof value === 'string' && value.length >= LONG)) return;
    // What changes an object is not in vain.
    if (input.state !== null && input.state.join() !== input.things.map((thing) => held(Object(thing))).join()) return;
    const isWhole = isValue(value) || isData(value);
    if (!isWhole && watched.kept >= KEPT && !watched.known.has(input.key)) return;
    const result = resultOf(value, isWhole ? 0 : STATE);
    if (result === null) return;
    const known = watched.known.get(input.key);
    if (known === undefined) {
      const large = typeof value === 'string' ? value.length >= LONG : isThing && isWhole && sizeOf(value) >= LARGE;
      const given = large && watched.results.has(result) ? 1 : 0;
      if (large) watched.results.add(result);
      // A reference, even a weak one, would keep it alive until the program's own turn is over.
      const isKept = isThing && !isWhole;
      watched.known.set(input.key, { result, number: isThing ? numberOf(value) : null, about: input.about, isKept, same: 0, given });
      watched.kept += isKept ? 1 : 0;
      return;
    }
    // The very object again was kept by somebody already.
    if (known.result === result && (!isThing || known.number !== numberOf(value))) known.same += 1;
  };

  const letters = (text, from, to) => sum(() => {
    putLetters(text, from, to);
    return true;
  });
  const sign = (value) => {
    if (typeof value === 'string') return letters(value, 0, Math.min(ENDS, value.length));
    return isValue(value) ? value : numberOf(value);
  };
  // A number; or which object it is, how much it holds, and what stands at its ends. A text is known by its ends alone.
  const extent = (value) => {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? value : null;
    if (typeof value === 'string') {
      const { length } = value;
      return { id: 0, length, first: letters(value, 0, Math.min(ENDS, length)), last: letters(value, length - ENDS, length) };
    }
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return null;
    const id = numberOf(value);
    if (types.isProxy(value)) return { id, length: null };
    if (Array.isArray(value)) {
      return { id, length: value.length, first: sign(value[0]), last: sign(value[value.length - 1]) };
    }
    if (types.isMap(value) || types.isSet(value)) {
      const keys = types.isMap(value) ? Map.prototype.keys : Set.prototype.values;
      const first = keys.call(value).next();
      return { id, length: sizeOf(value), first: first.done ? null : sign(first.value), last: null };
    }
    if (types.isTypedArray(value)) return { id, length: sizeOf(value), first: value[0], last: value[value.length - 1] };
    if (typeof value === 'object' && left > 0 && isPlain(value)) {
      const names = Object.keys(value);
      left -= names.length / NAMES;
      // A record has few fields, a table many.
      if (names.length > LARGE) return { id, length: names.length, first: names[0], last: names[names.length - 1] };
    }
    return { id, length: null };
  };
  // Whether what is given is what was given before: the same object, or a text that has more or less of it.
  const goesOn = (before, after, value) => {
    if (before === null || after === null || typeof before !== 'object' || typeof after !== 'object') return false;
    if (before.id !== after.id) return false;
    if (before.length === null || after.length === null) return before.length === after.length;
    const most = Math.max(before.length, after.length), least = Math.min(before.length, after.length);
    if (after.id !== 0) return most - least <= Math.max(STEP, most / 4);
    if (least < 2 * ENDS) return false;
    const more = before.first === after.first && letters(value, before.length - ENDS, before.length) === before.last;
    return more || (before.length > after.length && before.last === after.last);
  };

  const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

  class Watched {
    constructor({ function: name, file, line, parameters, own, changes }) {
      Object.assign(this, { name, file, line, parameters, own, changes });
      // Calls until the next one that comes here: what the program counts down, and what it began with.
      this.next = this.gap = 0;
      // Calls so far, of them up to the last one that was timed, and which one is timed next.
      this.seen = 0;
      this.timed = 0;
      this.due = 1;
      this.running = 0;
      this.left = VALUES;
      // How often which input was given, as far as it is asked for: those whose number has none of these bits.
      this.asked = new Map();
      this.often = new Set();
      this.mask = 0;
      this.since = 0;
      // Of the calls that were asked, those that were given something to walk through; and calls inside each other.
      this.inputs = this.walks = this.nested = 0;
      this.known = new Map();
      this.kept = 0;
      this.results = new Set();
      // What was given of late, for each parameter.
      this.last = [];
      // Which object the last call gave, and how many in a row were given what the one before them gave.
      this.gave = this.fed = 0;
      this.costs = [];
      this.callers = new Set();
      // Promises that it gave, where somebody wants to know.
      this.pending = loop === null ? null : loop.pending({ function: name, file, line });
    }

    // A function that waits is entered, and returns.
    enter() {
      return this.pending === null ? null : loop.entered(this.pending);
    }

    back(call, value) {
      if (call !== null) loop.returned(call, value);
      return value;
    }

    // How many calls go by until the next that comes here.
    plan() {
      const over = this.costs.length >= CALLS || room <= 0;
      if (this.seen >= this.due) {
        this.due = over ? Infinity : this.seen + 1 + (this.seen < FIRST ? 0 : Math.floor(this.seen / PART));
      }
      const turn = this.seen % TURN;
      const asks = !this.changes && this.left > 0 && left > 0;
      const asked = !asks ? Infinity : this.seen < EAGER || turn < ASKED ? 0 : TURN - turn;
      this.next = this.gap = Math.min(asked, this.due - this.seen - 1);
    }

    // How often what a call is given goes on from what one of the last was given; 0 where it does not.
    goesOn(at, after, value, weight) {
      if (after === null || typeof after !== 'object') return 0;
      const recent = this.last[at] ??= new Map();
      const before = recent.get(after.id);
      const goes = before !== undefined && goesOn(before.extent, after, value);
      // Of the calls in between, those that were given another.
      const turn = goes ? before.turn + Math.max(1, weight / recent.size) : 1;
      recent.delete(after.id);
      if (recent.size >= RECENT) recent.delete(recent.keys().next().value);
      recent.set(after.id, { extent: after, turn });
      return goes ? turn : 0;
    }

    // What the call before gave has become what this one goes on with: how often that was so. Of calls that go by nobody knows
    // what they gave; they are like those before.
    isFed(extents, weight) {
      const fed = extents.findIndex((extent) => this.gave !== 0 && extent !== null && extent.id === this.gave);
      this.fed = fed >= 0 || (weight > 1 && this.fed > 0) ? this.fed + weight : 0;
      if (fed >= 0) extents[fed] = { ...extents[fed], id: 'fed' };
      return this.fed;
    }

    // Whether the call's input is asked for.
    asks(self, given) {
      if (this.left <= 0 || left <= 0 || this.changes || (this.seen >= EAGER && this.seen % TURN > ASKED)) return null;
      const budget = left, number = about(self, given);
      this.left -= budget - left;
      if ((number & this.mask) !== 0 && !this.asked.has(number)) return null;
      this.asked.set(number, (this.asked.get(number) ?? 0) + 1);
      this.since += 1;
      return number;
    }

    // Leaves half of the inputs out, but for those that come often.
    halve() {
      this.since = 0;
      const mask = this.mask << 1 | 1;
      const all = [...this.asked.values()].reduce((sum, count) => sum + count, 0);
      const often = new Set(this.often);
      for (const [number, count] of this.asked) if (count >= OFTEN * all) often.add(number);
      const staying = [...this.asked].filter(([number]) => (number & mask) === 0 || often.has(number));
      if (staying.length - often.size < INPUTS) return;
      this.mask = mask;
      this.often = often;
      this.asked = new Map(staying);
      this.kept = 0;
      for (const [key, { about, isKept }] of this.known) {
        if (!this.asked.has(about)) this.known.delete(key);
        else this.kept += isKept ? 1 : 0;
      }
    }

    // Of the calls that were asked, those with the input and result of an earlier one, and with the result of another input. What was
    // left out is like what was not, but for what comes often.
    repeats() {
      const weight = (number) => (this.often.has(number) ? 1 : this.mask + 1);
      let looked = 0, all = 0, same = 0, given = 0;
      for (const [number, count] of this.asked) {
        looked += count;
        all += count * weight(number);
      }
      for (const one of this.known.values()) {
        same += one.same * weight(one.about);
        given += one.given * weight(one.about);
      }
      const part = (calls) => (all > 0 ? Math.round(looked * calls / all) : 0);
      return { calls: looked, same: part(same), given: part(given) };
    }

    call(self, given, body) {
      this.seen += this.gap + 1;
      if (depth >= DEEPEST) {
        this.next = this.gap = ALONE;
        return Reflect.apply(body, undefined, given);
      }
      const entered = now(), isTimed = this.seen >= this.due, weight = this.seen - this.timed;
      let number = null;
      try {
        number = this.asks(self, given);
      } catch {
        // An object may refuse to be looked at; the program must not notice.
      }
      this.plan();
      if (!isTimed && number === null) {
        depth += 1;
        spent += now() - entered;
        try {
          return this.gives(Reflect.apply(body, undefined, given));
        } finally {
          depth -= 1;
        }
      }
      if (isTimed) this.timed = this.seen;
      this.nested += this.running > 0 ? 1 : 0;
      let input = null, extents = null, again = null;
      const budget = left, most = Math.min(left, this.left / SHARE);
      try {
        if (isTimed && this.running === 0) {
          extents = [self, ...given].map((value) => (value === globalThis ? null : extent(value)));
          again = extents.map((after, at) => this.goesOn(at, after, at > 0 ? given[at - 1] : self, weight));
          again.push(this.isFed(extents, weight));
        }
        if (number !== null) {
          left = most;
          this.inputs += 1;
          input = inputOf(self, given);
          newcomers = [];
          if (input !== null) input.about = number;
          // Nothing was left to compare it with; it may be like the others.
          else if (most < VALUES / SHARE / 2) this.asked.set(number, this.asked.get(number) - 1);
          this.walks += input !== null && input.isWalk ? 1 : 0;
        }
      } catch {
        // The same.
      }
      if (number !== null) {
        left = budget - Math.min(Math.max(most - left, 0), most);
        if (this.since >= HALVED) this.halve();
      }
      this.left -= budget - left;
      this.running += 1;
      const caller = current;
      if (caller !== null && caller !== this) this.callers.add(caller);
      current = this;
      depth += 1;
      const at = now();
      spent += at - entered;
      const others = spent;
      let value;
      try {
        value = Reflect.apply(body, undefined, given);
      } finally {
        this.running -= 1;
        current = caller;
        depth -= 1;
      }
      const ended = now(), rest = left;
      const time = Math.max(ended - at - (spent - others), 0);
      try {
        if (extents !== null) {
          const sized = typeof value === 'string'
            || (!types.isProxy(value) && (Array.isArray(value) || types.isMap(value) || types.isSet(value)));
          const isThing = typeof value === 'object' && value !== null && !types.isProxy(value);
          this.gave = isThing ? numberOf(value) : 0;
          room -= 1;
          this.costs.push({ extents, again, time, weight, length: sized ? sizeOf(value) : null });
        }
        if (input !== null) compare(this, input, value);
      } catch {
        // The same.
      }
      this.left -= rest - left;
      this.gives(value);
      spent += now() - ended;
      return value;
    }

    gives(value) {
      if (this.pending !== null && typeof value === 'object') loop.gave(this.pending, value);
      return value;
    }

    // What all calls took. One that took long by chance stands for itself alone.
    taken() {
      let all = 0;
      for (let from = 0; from < this.costs.length; from += NEAR) {
        const near = this.costs.slice(from, from + NEAR);
        const most = CHANCE * middle(near.map(({ time }) => time));
        for (const { time, weight } of near) all += Math.min(time, most) * (weight - 1) + time;
      }
      return all;
    }

    // It calls itself for what it is given something of.
    isWalk() {
      return this.nested >= NESTED && this.walks >= MOSTLY * this.inputs;
    }

    mean() {
      const calls = this.costs.reduce((sum, { weight }) => sum + weight, 0);
      return calls > 0 ? this.taken() / calls : 0;
    }
  }

  // The median time of calls of about one length.
  const medians = (pairs) => {
    const alike = new Map();
    for (const [length, time] of pairs) {
      if (length <= 0) continue;
      const about = Math.floor(Math.log2(length));
      if (!alike.has(about)) alike.set(about, []);
      alike.get(about).push([length, time]);
    }
    return [...alike].sort(([a], [b]) => a - b).filter(([, of]) => of.length >= ALIKE).map(([, of]) => ({
      size: middle(of.map(([length]) => length)), calls: of.length, median_ns: Math.round(middle(of.map(([, time]) => time))),
    }));
  };

  // Whether most calls are given something that there was less of at another time. Texts were compared already.
  const grows = (extents) => {
    const ends = new Map();
    for (const { id, length } of extents) {
      const [least, most] = ends.get(id) ?? [length, length];
      ends.set(id, [Math.min(least, length), Math.max(most, length)]);
    }
    const grown = ({ id }) => id === 0 || ends.get(id)[1] >= 2 * ends.get(id)[0];
    return extents.filter(grown).length >= MOSTLY * extents.length;
  };

  // By what of its input the time of a function might go: each with the time at several lengths.
  const costsOf = (watched) => {
    const { costs } = watched, found = [];
    if (costs.length < COSTED) return found;
    const kept = costs.map(({ again }) => again.some(Boolean));
    const tell = (over, argument, pairs, again) => {
      const sizes = medians(pairs);
      if (sizes.length < LENGTHS) return [];
      found.push({ over, argument, again, sizes });
      return sizes;
    };
    const lengths = costs.map(({ length }) => length).filter((length) => length !== null);
    const part = lengths.length >> 2;
    const total = (values) => values.reduce((sum, value) => sum + value, 0);
    const givesMore = part > 0 && total(lengths.slice(-part)) >= 2 * total(lengths.slice(0, part));
    let fresh = 0;
    const names = ['this', ...watched.parameters];
    for (const [at, name] of names.entries()) {
      const given = costs.map(({ extents }) => extents[at] ?? null);
      const sized = (extent) => extent !== null && typeof extent === 'object' && extent.length !== null;
      const count = costs.filter(({ again, extents }) => again[at] || extents[at]?.id === 'fed').length;
      if (given.filter(sized).length >= COSTED) {
        const pairs = given.map((extent, call) => [extent, costs[call].time]).filter(([extent]) => sized(extent));
        const whole = count >= MOSTLY * costs.length && grows(given.filter(sized));
        const sizes = tell(whole ? 'kept' : 'given', name, pairs.map(([extent, time]) => [extent.length, time]), count);
        const explains = sizes.length > 0 && sizes[sizes.length - 1].median_ns >= 2 * sizes[0].median_ns;
        fresh += explains && !whole ? 1 : 0;
      }
      const places = given.map((extent, call) => [extent, call]).filter(([extent]) => typeof extent === 'number');
      if (places.length >= COSTED) {
        const steps = places.slice(1).map(([place, call], before) => [Math.sign(place - places[before][0]), call])
          .filter(([, call]) => kept[call]).map(([step]) => step);
        const inOrder = Math.max(...[1, -1].map((way) => steps.filter((step) => step === way).length));
        const moved = steps.filter((step) => step !== 0).length;
        // Each place of something is asked for in turn; a number that goes up and down is an amount, and so is one that as
        // much is made of.
        if (inOrder >= COSTED / 2 && inOrder >= MOSTLY * moved && !givesMore) {
          tell('place', name, places.map(([place, call]) => [Math.abs(place), costs[call].time]), inOrder);
        }
      }
    }
    const goingOn = kept.filter(Boolean).length;
    // Where each call is given more than the one before, that is why it takes longer.
    if (fresh === 0 && goingOn >= MOSTLY * costs.length) {
      tell('turn', null, costs.map(({ time, again }) => [Math.round(Math.max(1, ...again)), time]), goingOn);
      // What it has gathered may be used up, and the next is gathered: seldom, or it takes now more and now less by chance.
      let turn = 0, round = [], rounds = 0;
      const turns = costs.map(({ time, weight }, call) => {
        const begins = round.length >= STEP && time * ROUND < middle(round.slice(-STEP));
        if (!kept[call] || begins) [turn, round, rounds] = [0, [], rounds + 1];
        round.push(time);
        return [turn += kept[call] && !begins ? weight : 1, time];
      });
      if (rounds > 1 && rounds * COSTED <= costs.length) tell('turn', null, turns, goingOn);
    }
    const results = costs.filter(({ length }) => length !== null);
    if (results.length >= COSTED) tell('result', null, results.map(({ length, time }) => [length, time]), 0);
    return found;
  };

  const watches = table.functions.map((one) => new Watched(one));
  Object.defineProperty(globalThis, '__slowpath', { value: watches });
  return () => {
    // None of the files was loaded, or not as it was read.
    if (!watches.some(({ seen }) => seen > 0)) return { repeats: [] };
    const at = ({ name, file, line }) => ({ function: name, file, line });
    const whole = now() - began - spent;
    const place = (watched) => ({
      ...at(watched), callers: [...watched.callers].slice(0, 20).map(at), taken_ns: Math.round(Math.min(watched.taken(), whole)),
    });
    const repeats = watches.map((watched) => [watched, watched.repeats()])
      .filter(([watched]) => watched.seen >= 2 && (watched.mean() >= WORTH || watched.isWalk()))
      .sort(([, a], [, b]) => Math.max(b.same, b.given) - Math.max(a.same, a.given)).slice(0, 50)
      .map(([watched, told]) => ({ ...place(watched), ...told }));
    const costly = watches.map((watched) => [watched.taken(), watched]).sort(([a], [b]) => b - a).slice(0, 50);
    const costs = costly.flatMap(([, watched]) => costsOf(watched).map((found) => ({
      ...place(watched), calls: watched.costs.length, ...found,
    })));
    return { repeats, costs, watched_ns: Math.round(whole) };
  };
};
