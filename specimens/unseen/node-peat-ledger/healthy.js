'use strict';
// Simulates the water of a peat bog cell by cell; the last days can be looked back at.

const WIDTH = 160;
const HEIGHT = 120;
const KEEP = 30;

class Cell {
  constructor(water, peat, plants) {
    this.water = water;
    this.peat = peat;
    this.plants = plants;
  }
}

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

function bog(seed) {
  const next = random(seed);
  return Array.from({ length: WIDTH * HEIGHT }, () => new Cell(Math.floor(next() * 100), Math.floor(next() * 50), 1));
}

function rain(day) {
  return day % 5 === 0 ? 4 : day % 3;
}

// What a cell becomes, seen from its neighbours to the west and north.
function flow(cell, west, north, wet) {
  const water = Math.min(140, Math.max(0, cell.water + wet + ((west.water + north.water - 2 * cell.water) >> 3) - 1));
  const plants = water > 60 ? Math.min(9, cell.plants + 1) : Math.max(0, cell.plants - 1);
  return { water, plants, peat: cell.peat + (plants > 6 ? 1 : 0) };
}

class Series {
  constructor() {
    this.levels = new Float64Array(4096);
    this.length = 0;
  }

  push(level) {
    this.levels[this.length % this.levels.length] = level;
    this.length += 1;
  }

  mean() {
    const used = Math.min(this.length, this.levels.length);
    return this.levels.subarray(0, used).reduce((sum, level) => sum + level, 0) / used;
  }
}

class Diary {
  constructor(keep) {
    this.keep = keep;
    this.days = [];
  }

  write(day, cells) {
    this.days.push({ day, water: Uint8Array.from(cells, (cell) => cell.water) });
    if (this.days.length > this.keep) this.days.shift();
  }

  water(back, place) {
    return this.days[Math.max(0, this.days.length - 1 - back)].water[place];
  }
}

function step(cells, day) {
  const wet = rain(day);
  let sum = 0;
  for (let place = 0; place < cells.length; place++) {
    const west = cells[place % WIDTH ? place - 1 : place];
    const north = cells[place >= WIDTH ? place - WIDTH : place];
    const { water, plants, peat } = flow(cells[place], west, north, wet);
    const cell = cells[place];
    cell.water = water;
    cell.plants = plants;
    cell.peat = peat;
    sum += water;
  }
  return sum / cells.length;
}

function main() {
  const days = Number(process.argv[2] || 40);
  const cells = bog(77);
  const diary = new Diary(KEEP);
  const series = new Series();
  let risen = 0;
  for (let day = 0; day < days; day++) {
    series.push(step(cells, day));
    diary.write(day, cells);
    for (let place = day % 7; place < cells.length; place += 97) {
      if (cells[place].water > diary.water(10, place)) risen += 1;
    }
  }
  const peat = cells.reduce((sum, cell) => sum + cell.peat, 0);
  console.log('days', days, 'mean', series.mean().toFixed(4), 'peat', peat, 'risen', risen);
}

main();
