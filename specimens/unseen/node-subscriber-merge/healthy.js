'use strict';
// Merges the newsletter lists of several shops into one: one entry for each person, with all shops they came from.
const crypto = require('crypto');

const SHOPS = ['garden', 'kitchen', 'outdoor', 'books', 'toys'];
const NAMES = ['Ana Núñez', 'Björn Åkesson', 'Céline Roux', 'Dörte Möller', 'Emre Yılmaz', 'Fiona Byrne', 'Győző Nagy'];

function* numbers(seed) {
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 4;
  }
}

function exportOf(shop, size) {
  const draw = numbers(shop.length * 7919 + shop.charCodeAt(0));
  const rows = [];
  for (let i = 0; i < size; i += 1) {
    const person = draw.next().value % (size * 4);
    const name = NAMES[person % NAMES.length];
    const slug = name.toLowerCase().replace(/[^a-z]+/g, '.');
    const mail = i % 3 ? `${slug}${person}@example.org` : `${slug.toUpperCase()}${person}@Example.org `;
    rows.push({ shop, mail, name: `${name} ${person}`, opened: draw.next().value % 100, since: 2010 + (person % 14) });
  }
  return rows;
}

function plainName(name) {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function clean(row) {
  return {
    mail: row.mail.trim().toLowerCase(),
    name: plainName(row.name),
    shop: row.shop,
    opened: row.opened,
    since: row.since,
  };
}

class Directory {
  constructor() {
    this.people = [];
    this.byMail = new Map();
  }

  lookup(mail) {
    return this.byMail.get(mail);
  }

  add(row) {
    const known = this.lookup(row.mail);
    if (known === undefined) {
      const person = { mail: row.mail, name: row.name, shops: [row.shop], opened: row.opened, since: row.since };
      this.people.push(person);
      this.byMail.set(person.mail, person);
      return;
    }
    if (!known.shops.includes(row.shop)) known.shops.push(row.shop);
    known.opened = Math.max(known.opened, row.opened);
    known.since = Math.min(known.since, row.since);
  }
}

function segment(person) {
  const loyal = 2024 - person.since > 6 ? 'old' : 'new';
  if (person.shops.length > 2) return `multi-${loyal}`;
  return person.opened >= 50 ? `active-${loyal}` : `quiet-${loyal}`;
}

function summarise(people) {
  const segments = new Map();
  for (const person of people) {
    const key = segment(person);
    segments.set(key, (segments.get(key) || 0) + 1);
  }
  return [...segments].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([key, count]) => `${key}=${count}`).join(' ');
}

function fileOf(people) {
  const order = [...people].sort((a, b) => (a.mail < b.mail ? -1 : a.mail > b.mail ? 1 : 0));
  return order.map((p) => [p.mail, p.name, p.shops.join('|'), p.opened, p.since].join(';')).join('\n');
}

function main() {
  const size = Number(process.argv[2] || 4500);
  const directory = new Directory();
  let rows = 0;
  for (const shop of SHOPS) {
    for (const row of exportOf(shop, size)) {
      directory.add(clean(row));
      rows += 1;
    }
  }
  const digest = crypto.createHash('sha1').update(fileOf(directory.people)).digest('hex').slice(0, 12);
  console.log(`rows ${rows} people ${directory.people.length} ${summarise(directory.people)} ${digest}`);
}

main();
