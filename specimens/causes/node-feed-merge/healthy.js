'use strict';
// Merges the stories of many news feeds into one list without doubles.

const crypto = require('crypto');

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

const NOUNS = ['harbour', 'council', 'bridge', 'orchestra', 'storm', 'museum', 'railway', 'election'];
const VERBS = ['opens', 'closes', 'delays', 'welcomes', 'repairs', 'celebrates'];

function* feed(name, count, draw) {
  for (let number = 0; number < count; number += 1) {
    const key = draw(count * 8);
    const noun = NOUNS[key % NOUNS.length];
    const verb = VERBS[(key >> 3) % VERBS.length];
    yield {
      link: `https://news.example.org/${noun}/${key}?utm_source=${name}&utm_medium=rss#top`,
      title: `  <b>${noun}</b> ${verb} after ${key % 31} days &amp; nights  `,
      minute: draw(60 * 24),
      source: name,
    };
  }
}

function plainTitle(title) {
  return title
    .replace(/<[^>]+>/g, '')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

function canonicalLink(link) {
  const url = new URL(link);
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith('utm_')) url.searchParams.delete(name);
  }
  url.hash = '';
  return url.toString();
}

class Shelf {
  constructor() {
    this.stories = [];
    this.links = new Set();
    this.doubles = 0;
  }

  add(story) {
    if (this.links.has(story.link)) {
      this.doubles += 1;
      return;
    }
    this.links.add(story.link);
    this.stories.push(story);
  }
}

function merge(feeds) {
  const shelf = new Shelf();
  for (const stories of feeds) {
    for (const story of stories) {
      shelf.add({ ...story, title: plainTitle(story.title), link: canonicalLink(story.link) });
    }
  }
  return shelf;
}

function newest(stories, count) {
  return [...stories]
    .sort((a, b) => b.minute - a.minute || (a.link < b.link ? -1 : 1))
    .slice(0, count);
}

function main() {
  const count = Number(process.argv[2] || 26000);
  const draw = generator(20240);
  const feeds = ['north', 'south', 'coast', 'town'].map((name) => feed(name, Math.floor(count / 4), draw));
  const shelf = merge(feeds);
  const digest = crypto.createHash('sha1');
  for (const story of shelf.stories) digest.update(story.link + story.title);
  console.log('stories', shelf.stories.length, 'doubles', shelf.doubles);
  for (const story of newest(shelf.stories, 3)) console.log(story.minute, story.title);
  console.log(digest.digest('hex'));
}

main();
