'use strict';
// Prints the week's menu of a canteen from a recipe store that speaks a small protocol of lines over TCP.

const net = require('node:net');
const { fork } = require('node:child_process');

const FIELDS = ['title', 'portion', 'energy', 'fat', 'salt', 'sugar', 'fibre', 'allergens', 'price', 'origin'];
const PLACES = ['valley', 'coast', 'hills', 'island'];

// --- the store: a process of its own, a millisecond away ---

function fieldOf(dish, field) {
  const seed = (dish * 7919 + FIELDS.indexOf(field) * 104729) % 10007;
  if (field === 'title') return `dish-${dish}`;
  if (field === 'origin') return PLACES[seed % PLACES.length];
  if (field === 'allergens') return (seed % 256).toString(2).padStart(8, '0');
  return String(seed % 900);
}

function answer(line) {
  const [verb, dish, ...fields] = line.split(' ');
  if (verb !== 'GET') return 'ERR';
  return fields.map((field) => fieldOf(Number(dish), field)).join(' ');
}

function runStore() {
  const server = net.createServer((socket) => {
    let rest = '';
    socket.setNoDelay(true);
    socket.setEncoding('ascii');
    socket.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) setTimeout(() => socket.write(answer(line) + '\n'), 1);
    });
    socket.on('close', () => process.exit(0));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  setTimeout(() => process.exit(1), 30000).unref();
}

// --- the canteen ---

class Store {
  constructor(socket) {
    this.socket = socket;
    this.waiting = [];
    let rest = '';
    socket.setNoDelay(true);
    socket.setEncoding('ascii');
    socket.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.waiting.shift()(line.split(' '));
    });
  }

  static connect(port) {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(new Store(socket)));
      socket.on('error', reject);
    });
  }

  get(dish, ...fields) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.socket.write(`GET ${dish} ${fields.join(' ')}\n`);
    });
  }

  close() {
    this.socket.end();
  }
}

async function loadDish(store, number) {
  const dish = { number };
  const values = await store.get(number, ...FIELDS);
  FIELDS.forEach((field, i) => {
    dish[field] = values[i];
  });
  return dish;
}

function grade(dish) {
  const points = Number(dish.energy) / 90 + Number(dish.sugar) / 45 + Number(dish.fat) / 30 - Number(dish.fibre) / 60;
  return 'ABCDE'[Math.max(0, Math.min(4, Math.floor(points / 10)))];
}

function warnings(dish) {
  return [...dish.allergens].filter((flag) => flag === '1').length;
}

async function printMenu(store, count) {
  const grades = {};
  let price = 0;
  let flags = 0;
  for (let number = 1; number <= count; number++) {
    const dish = await loadDish(store, number);
    const mark = grade(dish);
    grades[mark] = (grades[mark] || 0) + 1;
    price += Number(dish.price);
    flags += warnings(dish);
  }
  const marks = Object.keys(grades).sort().map((mark) => `${mark}${grades[mark]}`).join(' ');
  return `${count} dishes, ${price} cents, ${flags} warnings, ${marks}`;
}

async function main() {
  const count = Number(process.argv[2] || 110);
  const child = fork(__filename, ['--store']);
  const port = await new Promise((resolve) => child.once('message', resolve));
  const store = await Store.connect(port);
  console.log(await printMenu(store, count));
  store.close();
}

if (process.argv[2] === '--store') runStore();
else main();
