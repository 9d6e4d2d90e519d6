// Weighs the harvest of an orange grove: baskets come in from the pickers and are booked by tree.
'use strict';

const GRADES = ['juice', 'table', 'export'];

function* baskets(count, trees) {
  let state = 1519;
  for (let number = 0; number < count; number += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield {
      row: (state >>> 8) % Math.ceil(trees / 60),
      place: (state >>> 16) % 60,
      picker: `p${(state >>> 3) % 90}`,
      grams: 9000 + ((state >>> 12) % 7000),
      sugar: 80 + ((state >>> 5) % 60),
    };
  }
}

function treeOf(basket) {
  return `r${basket.row}-${basket.place}`;
}

function grade(basket) {
  const score = basket.sugar + basket.grams / 200;
  if (score > 170) return GRADES[2];
  return score > 140 ? GRADES[1] : GRADES[0];
}

function byTree(harvest) {
  return harvest.reduce((trees, basket) => {
    const tree = treeOf(basket);
    const before = trees[tree] || { baskets: 0, grams: 0, sugar: 0 };
    trees[tree] = {
      baskets: before.baskets + 1,
      grams: before.grams + basket.grams,
      sugar: before.sugar + basket.sugar * basket.grams,
    };
    return trees;
  }, {});
}

function byPicker(harvest) {
  const pickers = new Map();
  for (const basket of harvest) {
    const wage = pickers.get(basket.picker) || 0;
    pickers.set(basket.picker, wage + Math.floor(basket.grams / 100) + (grade(basket) === 'export' ? 15 : 0));
  }
  return pickers;
}

function byGrade(harvest) {
  const grades = Object.fromEntries(GRADES.map((name) => [name, 0]));
  for (const basket of harvest) grades[grade(basket)] += basket.grams;
  return grades;
}

function best(trees, places) {
  return Object.entries(trees)
    .map(([tree, sums]) => ({ tree, grams: sums.grams, sugar: sums.sugar / sums.grams }))
    .sort((one, other) => other.grams - one.grams || (one.tree < other.tree ? -1 : 1))
    .slice(0, places);
}

function forecast(trees) {
  let next = 0;
  for (const sums of Object.values(trees)) {
    let yieldOf = sums.grams;
    for (let year = 0; year < 8; year += 1) yieldOf = Math.floor(yieldOf * 0.9) + sums.baskets * 700;
    next += yieldOf;
  }
  return next;
}

function main() {
  const count = Number(process.argv[2] || 200);
  const harvest = [...baskets(count, 1800)];
  const trees = byTree(harvest);
  const wages = [...byPicker(harvest).values()].reduce((sum, wage) => sum + wage, 0);
  const grades = byGrade(harvest);
  const leaders = best(trees, 3).map((tree) => `${tree.tree} ${tree.grams} ${tree.sugar.toFixed(2)}`);
  console.log(`${Object.keys(trees).length} trees, wages ${wages}, ${JSON.stringify(grades)}, next ${forecast(trees)}`);
  console.log(leaders.join('; '));
}

main();
