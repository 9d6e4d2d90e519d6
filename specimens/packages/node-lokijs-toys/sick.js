// Keeps the loans of a toy library in memory and says which families have the most out.
const Loki = require("lokijs");

const FAMILIES = 20000;

function openLoans() {
  const library = new Loki("toys.db", { adapter: new Loki.LokiMemoryAdapter() });
  return library.addCollection("loans");
}

function lend(loans, count) {
  for (let number = 0; number < count; number++) {
    loans.insert({ family: (number * 7919) % FAMILIES, toy: number % 900, week: number % 52, back: number % 3 === 0 });
  }
}

function outstanding(loans, family) {
  return loans.find({ family }).filter((loan) => !loan.back).length;
}

function main() {
  const loans = openLoans();
  lend(loans, Number(process.argv[2]));
  let most = 0;
  let total = 0;
  for (let family = 0; family < FAMILIES; family++) {
    const out = outstanding(loans, family);
    most = Math.max(most, out);
    total += out;
  }
  console.log(`${total} toys out, at most ${most} in one family`);
}

main();
