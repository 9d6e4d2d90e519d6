'use strict';
// One checker for each series.

const vm = require('vm');
const { seriesNames, rulesOf } = require('./series');
const { write } = require('./writer');

function compile(name) {
  const source = `(function check(part) { ${write(rulesOf(name))} })`;
  const script = new vm.Script(source, { filename: `${name}.check`, produceCachedData: true });
  const check = script.runInThisContext();
  check({});
  return check;
}

class Checkers {
  constructor(names) {
    this.names = new Set(names);
    this.made = new Map();
    for (const name of names) this.made.set(name, compile(name));
  }

  has(name) {
    return this.names.has(name);
  }

  get(name) {
    return this.made.get(name);
  }
}

module.exports = { checkers: new Checkers(seriesNames()) };
