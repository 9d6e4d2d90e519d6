'use strict';
// Osprey diary: follows the birds of a lake through a year and reports where they were seen last.

class Random {
  constructor(seed) {
    this.state = seed;
  }

  below(limit) {
    this.state = (this.state * 48271) % 2147483647;
    return this.state % limit;
  }
}

class Sighting {
  constructor(bird, hour, east, north, trail) {
    this.bird = bird;
    this.hour = hour;
    this.east = east;
    this.north = north;
    this.trail = trail;
    this.label = { text: `${bird}@${hour}`, words: [bird, hour] };
  }

  distance(other) {
    return Math.hypot(this.east - other.east, this.north - other.north);
  }
}

class Diary {
  constructor(keep) {
    this.keep = keep;
    this.pages = new Map();
    this.count = 0;
  }

  pageOf(bird) {
    let page = this.pages.get(bird);
    if (!page) {
      page = { sightings: [], flown: 0 };
      this.pages.set(bird, page);
    }
    return page;
  }

  note(sighting) {
    const page = this.pageOf(sighting.bird);
    const last = page.sightings[page.sightings.length - 1];
    if (last) page.flown += last.distance(sighting);
    page.sightings.push(sighting);
    if (page.sightings.length > this.keep) page.sightings.shift();
    this.count += 1;
  }

  // The places where a bird was seen last.
  last(bird) {
    return this.pageOf(bird).sightings.slice(-this.keep);
  }

  * birds() {
    yield* [...this.pages.keys()].sort((one, other) => one - other);
  }
}

// A bird circles for a while before it is seen.
function circle(random, steps) {
  const trail = [];
  let east = random.below(4000) / 10;
  let north = random.below(4000) / 10;
  for (let step = 0; step < steps; step += 1) {
    east += (random.below(21) - 10) / 5;
    north += (random.below(21) - 10) / 5;
    trail.push({ east, north });
  }
  return trail;
}

class Watch {
  constructor(diary, birds) {
    this.diary = diary;
    this.random = new Random(1868);
    this.birds = birds;
  }

  hour(hour) {
    const trail = circle(this.random, 6);
    const end = trail[trail.length - 1];
    const line = JSON.stringify({ bird: this.random.below(this.birds), east: end.east, north: end.north });
    const heard = JSON.parse(line);
    this.diary.note(new Sighting(heard.bird, hour, heard.east, heard.north, trail));
  }
}

function report(diary) {
  let far = 0;
  let places = 0;
  for (const bird of diary.birds()) {
    far = Math.max(far, diary.pageOf(bird).flown);
    for (const sighting of diary.last(bird)) places += sighting.east + sighting.trail.length + sighting.label.words.length;
  }
  return `${diary.count} sightings, farthest ${far.toFixed(3)}, places ${places.toFixed(3)}`;
}

function main() {
  const hours = Number(process.argv[2] || 1000);
  const diary = new Diary(10);
  const watch = new Watch(diary, 60);
  for (let hour = 0; hour < hours; hour += 1) watch.hour(hour);
  console.log(report(diary));
}

main();
