'use strict';
// A canoe hire: tours are worked out one after the other until the river is closed.

const SPOTS = 260;

/** The river authority may close the river at any time. */
class River {
  constructor() {
    this.closed = false;
  }

  close() {
    this.closed = true;
  }
}

class Planner {
  constructor(seed) {
    this.state = seed;
  }

  chance(limit) {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return (this.state >>> 8) % limit;
  }

  /** A tour: the spots on its way with the depth and the current there. */
  async plan(number) {
    const way = [];
    let depth = 40 + this.chance(60);
    for (let spot = 0; spot < SPOTS; spot++) {
      depth = Math.max(5, depth + this.chance(21) - 10);
      way.push({ spot, depth, current: (depth * 7 + spot) % 13 });
    }
    return { number, way };
  }
}

class Hire {
  constructor(river, planner) {
    this.river = river;
    this.planner = planner;
    this.tours = 0;
    this.effort = 0;
    this.shallow = 0;
  }

  effortOf(tour) {
    let sum = 0;
    for (const { depth, current } of tour.way) sum += (current * 100) / (depth + 10);
    return Math.round(sum);
  }

  book(tour) {
    this.tours += 1;
    this.effort += this.effortOf(tour);
    if (tour.way.some((spot) => spot.depth < 8)) this.shallow += 1;
  }

  /** Ends with the river or with the last tour. */
  async season(count) {
    for (let number = 0; number < count; number++) {
      const next = await this.planner.plan(number);
      if (this.river.closed) break;
      this.book(next);
    }
  }
}

async function main() {
  const count = Number(process.argv[2] ?? 100);
  const river = new River();
  const hire = new Hire(river, new Planner(1492));
  await hire.season(count);
  river.close();
  console.log(`${hire.tours} tours, effort ${hire.effort}, shallow ${hire.shallow}`);
}

main();
