// Runs a morning at the desk of a public library: readers show their card, and their loans are looked up.
'use strict';
const Datastore = require('nedb');

function call(store, method, ...rest) {
  return new Promise((resolve, reject) => {
    store[method](...rest, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

function loans(count) {
  return Array.from({ length: count }, (_, number) => ({
    card: `R-${String((number * 17) % 1200).padStart(5, '0')}`,
    title: `Volume ${1 + ((number * 31) % 900)}`,
    due: 1 + ((number * 7) % 28),
  }));
}

async function openDesk(count) {
  const store = new Datastore();
  await call(store, 'ensureIndex', { fieldName: 'card' });
  await call(store, 'insert', loans(count));
  return store;
}

async function overdue(store, card, day) {
  const found = await call(store, 'find', { card });
  return found.filter((loan) => loan.due < day);
}

async function morning(store, visitors) {
  let fees = 0;
  let late = 0;
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const card = `R-${String((visitor * 29) % 1200).padStart(5, '0')}`;
    for (const loan of await overdue(store, card, 15)) {
      fees += 10 * (15 - loan.due);
      late += 1;
    }
  }
  return { fees, late };
}

async function main(visitors) {
  const store = await openDesk(4000);
  const { fees, late } = await morning(store, visitors);
  console.log(`${visitors} visitors, ${late} loans overdue, fees ${(fees / 100).toFixed(2)}`);
}

main(Number(process.argv[2]));
