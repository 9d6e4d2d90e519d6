// Plays the day's events of a shop into its state and prints the totals.
'use strict';
const { produce } = require('immer');

function events(count) {
  const events = [];
  for (let number = 0; number < count; number += 1) {
    events.push({ order: `o${number}`, customer: number % 40, cents: 500 + ((number * 37) % 900) });
  }
  return events;
}

function apply(state, event) {
  state.orders[event.order] = { customer: event.customer, cents: event.cents };
  state.log.push(event.order);
  state.revenue += event.cents;
}

function play(state, events) {
  return produce(state, (draft) => {
    for (const event of events) apply(draft, event);
  });
}

const state = play({ orders: {}, log: [], revenue: 0 }, events(Number(process.argv[2])));
console.log(Object.keys(state.orders).length, state.log.length, state.revenue);
