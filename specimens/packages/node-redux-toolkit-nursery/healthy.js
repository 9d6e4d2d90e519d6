// Keeps the beds of a plant nursery in a store and takes the day's sales out of it.
'use strict';
const { configureStore, createSlice } = require('@reduxjs/toolkit');

function stock(count) {
  const plants = {};
  for (let number = 0; number < count; number += 1) {
    plants[`p${number}`] = { name: `Plant ${number}`, left: 40 + (number % 25), bed: { row: number % 30, place: number % 12 }, tags: ['outdoor', 'potted'] };
  }
  return plants;
}

function slices(count) {
  const plants = createSlice({
    name: 'plants',
    initialState: stock(count),
    reducers: {
      sold(state, { payload }) {
        state[payload.plant].left -= payload.pieces;
      },
    },
  });
  const till = createSlice({
    name: 'till',
    initialState: { cents: 0, receipts: 0 },
    reducers: {
      paid(state, { payload }) {
        state.cents += payload.cents;
        state.receipts += 1;
      },
    },
  });
  return { plants, till };
}

function open({ plants, till }) {
  return configureStore({
    reducer: { plants: plants.reducer, till: till.reducer },
    middleware: (defaults) => defaults({ immutableCheck: false, serializableCheck: false }),
  });
}

function sell(store, { plants, till }, sale) {
  const plant = `p${(sale * 13) % Object.keys(store.getState().plants).length}`;
  store.dispatch(plants.actions.sold({ plant, pieces: 1 }));
  store.dispatch(till.actions.paid({ cents: 250 + (sale % 7) * 100 }));
}

function main(count, sales) {
  const parts = slices(count);
  const store = open(parts);
  for (let sale = 0; sale < sales; sale += 1) sell(store, parts, sale);
  const { plants, till } = store.getState();
  const left = Object.values(plants).reduce((sum, plant) => sum + plant.left, 0);
  console.log(left, till.receipts, till.cents);
}

main(Number(process.argv[2]), Number(process.argv[3]));
