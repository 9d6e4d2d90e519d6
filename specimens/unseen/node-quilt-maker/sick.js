// Sews a quilt: from one patch outwards to all neighbours whose colours go together.
'use strict';

class Quilt {
  constructor(side) {
    this.side = side;
    this.colours = new Uint8Array(side * side);
    let state = 9;
    for (let at = 0; at < this.colours.length; at += 1) {
      state = (Math.imul(state, 22695477) + 1) >>> 0;
      this.colours[at] = (state >>> 16) % 64;
    }
  }

  colour(x, y) {
    return this.colours[y * this.side + x];
  }

  neighbours(x, y) {
    const around = [];
    if (x > 0) around.push([x - 1, y]);
    if (y > 0) around.push([x, y - 1]);
    if (x + 1 < this.side) around.push([x + 1, y]);
    if (y + 1 < this.side) around.push([x, y + 1]);
    return around;
  }
}

function goTogether(one, other) {
  return (one * 7 + other * 3) % 11 !== 5;
}

function mixPalette(shades) {
  const palette = [];
  for (let shade = 0; shade < shades; shade += 1) {
    let value = shade + 1;
    for (let wash = 0; wash < 4000; wash += 1) value = (value * 31 + wash) % 65521;
    palette.push(value);
  }
  return palette;
}

function spread(quilt, sewn, edge) {
  const next = [];
  for (const [x, y] of edge) {
    for (const [nx, ny] of quilt.neighbours(x, y)) {
      const place = ny * quilt.side + nx;
      if (sewn.includes(place)) continue;
      if (!goTogether(quilt.colour(x, y), quilt.colour(nx, ny))) continue;
      sewn.push(place);
      next.push([nx, ny]);
    }
  }
  return next;
}

function sew(quilt) {
  const middle = Math.floor(quilt.side / 2);
  const sewn = [middle * quilt.side + middle];
  let edge = [[middle, middle]];
  let rounds = 0;
  while (edge.length > 0) {
    edge = spread(quilt, sewn, edge);
    rounds += 1;
  }
  return { sewn: [...sewn], rounds };
}

function worth(quilt, sewn, palette) {
  let sum = 0;
  for (const place of sewn) sum = (sum * 17 + palette[quilt.colours[place]]) % 1000000007;
  return sum;
}

function main() {
  const side = Number(process.argv[2] || 40);
  const progress = setInterval(() => {}, 50);
  const palette = mixPalette(64);
  const quilt = new Quilt(side);
  const { sewn, rounds } = sew(quilt);
  clearInterval(progress);
  console.log(`${sewn.length} patches in ${rounds} rounds, worth ${worth(quilt, sewn, palette)}`);
}

main();
