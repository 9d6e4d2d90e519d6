// Follows the sand of a dune field: light falls from the north, wind blows from the west, heights lie row by row.
'use strict';

const SIDE = 4096;

function field() {
  const heights = new Float64Array(SIDE * SIDE);
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const ridge = ((x * 13 + y * 7) & 127) / 127 + ((x + y * 3) & 31) / 62;
      heights[y * SIDE + x] = 4 + ridge * 6;
    }
  }
  return heights;
}

// Cells that lie in the shadow of a dune north of them; the shadow sinks by `sink` with each step.
function shade(heights, sink) {
  let dark = 0;
  for (let x = 0; x < SIDE; x += 1) {
    let shadow = 0;
    for (let y = 0; y < SIDE; y += 1) {
      const height = heights[y * SIDE + x];
      shadow -= sink;
      if (height < shadow) dark += 1;
      else shadow = height;
    }
  }
  return dark;
}

// The wind takes a little from each crest and lays it down to the east.
function blow(heights, strength) {
  let moved = 0;
  for (let y = 0; y < SIDE; y += 1) {
    let carried = 0;
    for (let x = 0; x < SIDE; x += 1) {
      const place = y * SIDE + x;
      if (heights[place] > 8) {
        const grains = (heights[place] - 8) * strength;
        heights[place] -= grains;
        carried += grains;
      } else {
        heights[place] += carried * 0.5;
        moved += carried * 0.5;
        carried *= 0.5;
      }
    }
  }
  return moved;
}

function profile(heights, row) {
  const bins = new Uint32Array(16);
  for (let x = 0; x < SIDE; x += 1) bins[Math.min(15, Math.floor(heights[row * SIDE + x]))] += 1;
  return bins;
}

class Season {
  constructor(heights) {
    this.heights = heights;
    this.dark = 0;
    this.moved = 0;
    this.rows = [];
  }

  day(number) {
    this.moved += blow(this.heights, 0.02);
    for (const sink of [0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.6, 0.9]) this.dark += shade(this.heights, sink);
    this.rows.push(profile(this.heights, (number * 401) % SIDE));
  }

  tallest() {
    let top = 0;
    for (const bins of this.rows) {
      for (let bin = 0; bin < bins.length; bin += 1) if (bins[bin] > 0) top = Math.max(top, bin);
    }
    return top;
  }
}

function main() {
  const days = Number(process.argv[2] || 1);
  const season = new Season(field());
  for (let number = 0; number < days; number += 1) season.day(number);
  console.log(`${days} days, moved ${season.moved.toFixed(3)}, dark ${season.dark}, tallest ${season.tallest()}`);
}

main();
