// Weighs the harvest of an orchard by the rules its owners wrote in TypeScript.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const tsNode = require('ts-node');

const RULES = {
  'crates.ts': `
export interface Crate { tree: string; kilos: number; day: number; bruised: number }
export type Total = { tree: string; kilos: number; crates: number };
export function crates(count: number): Crate[] {
  return Array.from({ length: count }, (_, at): Crate => ({
    tree: ['apple', 'pear', 'plum', 'quince'][at % 4], kilos: 8 + (at * 7) % 12, day: at % 30, bruised: (at * 3) % 5,
  }));
}`,
  'grading.ts': `
import { Crate } from './crates';
export enum Grade { Table = 'table', Juice = 'juice' }
export class Grader {
  constructor(private readonly most: number) {}
  grade(crate: Crate): Grade { return crate.bruised > this.most ? Grade.Juice : Grade.Table; }
}`,
  'harvest.ts': `
import { crates, Crate, Total } from './crates';
import { Grade, Grader } from './grading';
function sum(list: readonly Crate[]): Map<string, Total> {
  const totals = new Map<string, Total>();
  for (const { tree, kilos } of list) {
    const total = totals.get(tree) ?? { tree, kilos: 0, crates: 0 };
    totals.set(tree, { ...total, kilos: total.kilos + kilos, crates: total.crates + 1 });
  }
  return totals;
}
export function report(count: number): string {
  const grader = new Grader(2);
  const table = crates(count).filter((crate) => grader.grade(crate) === Grade.Table);
  return [...sum(table).values()].map((total) => \`\${total.tree} \${total.kilos}\`).join(', ');
}`,
};

function write(folder) {
  for (const [name, text] of Object.entries(RULES)) {
    fs.writeFileSync(path.join(folder, name), text);
  }
}

function prepare(folder) {
  tsNode.register({
    cwd: folder,
    skipProject: true,
    transpileOnly: true,
    compilerOptions: { target: 'ES2022', module: 'CommonJS', strict: true, types: [] },
  });
}

function load(folder) {
  return require(path.join(folder, 'harvest.ts'));
}

function main(count) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'harvest-'));
  try {
    write(folder);
    prepare(folder);
    console.log(load(folder).report(count));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

main(Number(process.argv[2]));
