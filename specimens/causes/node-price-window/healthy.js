'use strict';
// Follows a stream of prices with a sliding window and reports moves that stand out.

function generator(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 4294967296) * limit;
  };
}

class Window {
  constructor(size) {
    this.size = size;
    this.begin = 0;
    this.count = 0;
    this.sum = 0;
    this.squares = 0;
    this.prices = new Float64Array(size);
    this.volumes = new Float64Array(size);
    this.volume = 0;
  }

  push(second, price, volume) {
    const place = (this.begin + this.count) % this.size;
    if (this.count === this.size) {
      this.forget(this.prices[place], this.volumes[place]);
      this.begin = (this.begin + 1) % this.size;
    } else {
      this.count += 1;
    }
    this.prices[place] = price;
    this.volumes[place] = volume;
    this.sum += price;
    this.squares += price * price;
    this.volume += volume;
  }

  forget(price, volume) {
    this.sum -= price;
    this.squares -= price * price;
    this.volume -= volume;
  }

  mean() {
    return this.sum / this.count;
  }

  spread() {
    const mean = this.mean();
    return Math.sqrt(Math.max(0, this.squares / this.count - mean * mean));
  }
}

function follow(count, size) {
  const draw = generator(9);
  const window = new Window(size);
  let price = 10000;
  let alarms = 0;
  let last = 0;
  for (let second = 0; second < count; second += 1) {
    price = Math.max(100, price + Math.round(draw(41)) - 20);
    window.push(second, price, Math.floor(draw(100)));
    if (second % 16 === 0 && window.count > 1000) {
      const distance = Math.abs(price - window.mean());
      if (distance > 2.5 * window.spread() && second - last > 600) {
        alarms += 1;
        last = second;
      }
    }
  }
  return { alarms, mean: window.mean(), volume: window.volume };
}

function histogram(count) {
  const draw = generator(9);
  const bins = new Array(12).fill(0);
  for (let n = 0; n < count * 4; n += 1) bins[Math.floor(Math.sqrt(draw(144)))] += 1;
  return bins;
}

function main() {
  const count = Number(process.argv[2] || 2600000);
  const result = follow(count, 200000);
  console.log('alarms', result.alarms, 'mean', result.mean.toFixed(3), 'volume', result.volume);
  console.log('bins', histogram(count).join(' '));
}

main();
