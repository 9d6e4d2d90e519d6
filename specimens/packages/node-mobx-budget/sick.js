// Keeps the accounts of a town and writes the notices that tell each office how its spending stands.
'use strict';
const { makeAutoObservable } = require('mobx');

class Budget {
  constructor(offices) {
    this.offices = offices;
    this.bills = [];
    makeAutoObservable(this);
  }

  add(office, cents) {
    this.bills.push({ office, cents });
  }

  get spent() {
    const spent = new Array(this.offices).fill(0);
    for (const bill of this.bills) spent[bill.office] += bill.cents;
    return spent;
  }
}

function book(budget, bills) {
  for (let bill = 0; bill < bills; bill += 1) {
    budget.add((bill * 7) % budget.offices, 100 + ((bill * 31) % 4000));
  }
}

function notice(budget, office) {
  const cents = budget.spent[office];
  return `Office ${office} has spent ${(cents / 100).toFixed(2)}`;
}

function main(offices, bills) {
  const budget = new Budget(offices);
  book(budget, bills);
  let letters = 0;
  for (let office = 0; office < offices; office += 1) letters += notice(budget, office).length;
  console.log(letters, notice(budget, offices - 1));
}

main(Number(process.argv[2]), Number(process.argv[3]));
