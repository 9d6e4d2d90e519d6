'use strict';
// Merges the guest lists of several hotels into one address book, one entry for each mail address.

class RowReader {
  constructor(separator) {
    this.separator = separator;
  }

  read(text) {
    const [hotel, mail, name, nights, spent] = text.split(this.separator);
    return { hotel, mail: this.tidy(mail), name: this.title(name), nights: Number(nights), cents: Number(spent) };
  }

  tidy(mail) {
    const [local, domain] = mail.trim().toLowerCase().split('@');
    return `${local.split('+')[0].replace(/\./g, '')}@${domain}`;
  }

  title(name) {
    return name
      .split(' ')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
      .join(' ');
  }
}

class Guest {
  constructor(row) {
    this.mail = row.mail;
    this.name = row.name;
    this.hotels = new Set();
    this.nights = 0;
    this.cents = 0;
    this.absorb(row);
  }

  absorb(row) {
    this.hotels.add(row.hotel);
    this.nights += row.nights;
    this.cents += row.cents;
    if (row.name.length > this.name.length) {
      this.name = row.name;
    }
  }

  standing() {
    if (this.nights > 25 || this.cents > 400000) {
      return 'gold';
    }
    return this.hotels.size > 2 ? 'silver' : 'plain';
  }
}

class AddressBook {
  constructor() {
    this.guests = [];
  }

  lookup(mail) {
    return this.guests.find((guest) => guest.mail === mail);
  }

  merge(row) {
    const guest = this.lookup(row.mail);
    if (guest) {
      guest.absorb(row);
      return guest;
    }
    const fresh = new Guest(row);
    this.guests.push(fresh);
    return fresh;
  }

  standings() {
    const counts = { gold: 0, silver: 0, plain: 0 };
    for (const guest of this.guests) {
      counts[guest.standing()] += 1;
    }
    return counts;
  }

  ranked() {
    return [...this.guests].sort((a, b) => b.cents - a.cents || (a.mail < b.mail ? -1 : 1));
  }
}

class Import {
  constructor(book, reader) {
    this.book = book;
    this.reader = reader;
    this.rows = 0;
  }

  load(lines) {
    for (const line of lines) {
      this.book.merge(this.reader.read(line));
      this.rows += 1;
    }
  }
}

function* guestList(hotel, count) {
  let state = 1009 + hotel * 7;
  for (let at = 0; at < count; at++) {
    state = (state * 48271) % 2147483647;
    const number = hotel * Math.floor(count / 2) + (state % count);
    const mail = `G.${number.toString(36)}+stay${at % 3}@Post${number % 7}.example`;
    yield `hotel${hotel};${mail};anna ${number % 2 ? 'MARIA ' : ''}of ${number};${1 + (state % 9)};${4000 + (state % 90000)}`;
  }
}

function main() {
  const count = Number(process.argv[2] || 800);
  const book = new AddressBook();
  const work = new Import(book, new RowReader(';'));
  for (let hotel = 0; hotel < 5; hotel++) {
    work.load(guestList(hotel, count));
  }
  const { gold, silver, plain } = book.standings();
  const best = book.ranked()[0];
  console.log(`rows ${work.rows} guests ${book.guests.length} gold ${gold} silver ${silver} plain ${plain} best ${best.name} ${best.cents}`);
}

main();
