// Works out the balance of each account of a bank from the transfers of a month.
'use strict';
const { Map: Dictionary } = require('immutable');

const ACCOUNTS = 30000;

function transfer(at) {
  return { from: (at * 7919) % ACCOUNTS, to: (at * 104729 + 1) % ACCOUNTS, cents: (at % 4001) + 1 };
}

function book(balances, { from, to, cents }) {
  return balances.set(from, balances.get(from, 0) - cents).set(to, balances.get(to, 0) + cents);
}

function settle(transfers) {
  let balances = Dictionary();
  for (let at = 0; at < transfers; at += 1) {
    balances = book(balances, transfer(at));
  }
  return balances;
}

function richest(balances) {
  let best = 0;
  balances.forEach((cents) => {
    if (cents > best) best = cents;
  });
  return best;
}

function main(transfers) {
  const balances = settle(transfers);
  console.log(balances.size, richest(balances));
}

main(Number(process.argv[2]));
