// Reads a table of knitting patterns, a digit for each stitch and the letter of the yarn at the end, and adds up the wool.
const Papa = require("papaparse");

const YARNS = "ABCDEFGH";

function stitches(number) {
  let row = "";
  for (let stitch = 0; stitch < 1800; stitch++) row += (number * 7 + stitch * stitch) % 10;
  return row + YARNS[number % YARNS.length];
}

function table(patterns) {
  const rows = ["name,price,grams,stitches"];
  for (let number = 0; number < patterns; number++) {
    rows.push(`Scarf ${number},${(number % 40) + 4.5},${150 + ((number * 13) % 200)},${stitches(number)}`);
  }
  return rows.join("\n");
}

function patterns(text) {
  return Papa.parse(text, { header: true, dynamicTyping: true }).data;
}

function main() {
  const found = patterns(table(Number(process.argv[2])));
  const grams = found.reduce((sum, pattern) => sum + pattern.grams, 0);
  const price = found.reduce((sum, pattern) => sum + pattern.price, 0);
  const yarns = new Set(found.map((pattern) => pattern.stitches.slice(-1)));
  console.log(`${found.length} patterns, ${grams} g of ${yarns.size} yarns, ${price.toFixed(2)} in all`);
}

main();
