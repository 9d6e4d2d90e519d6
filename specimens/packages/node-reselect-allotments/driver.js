// Shows the honey of an allotment society, plot by plot, and draws it again whenever somebody opens another page.
'use strict';
const { createSelector } = require('reselect');

const HERBS = ['thyme', 'clover', 'borage', 'linden', 'heather'];

function society(plots, jars) {
  const harvest = [];
  for (let number = 0; number < jars; number += 1) {
    harvest.push({ plot: (number * 7) % plots, herb: HERBS[number % HERBS.length], grams: 200 + ((number * 31) % 300) });
  }
  return { harvest, page: 0 };
}

function gramsByHerb(harvest, plot) {
  const grams = {};
  for (const jar of harvest) {
    if (jar.plot === plot) {
      grams[jar.herb] = (grams[jar.herb] || 0) + jar.grams;
    }
  }
  return grams;
}

const harvestOfPlot = createSelector([(state) => state.harvest, (state, plot) => plot], gramsByHerb);

function draw(state, plots) {
  const rows = [];
  for (let plot = 0; plot < plots; plot += 1) {
    const grams = harvestOfPlot(state, plot);
    rows.push(`${plot}: ${Object.keys(grams).map((herb) => `${herb} ${grams[herb]}`).join(', ')}`);
  }
  return rows.join('\n');
}

function main(pages) {
  const plots = 40;
  let state = society(plots, 20000);
  let drawn = 0;
  for (let page = 0; page < pages; page += 1) {
    state = { ...state, page };
    drawn += draw(state, plots).length;
  }
  console.log(`${pages} pages, ${drawn} characters`);
}

main(Number(process.argv[2]));
