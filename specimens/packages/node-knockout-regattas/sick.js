// Takes the boats of a regatta over the finishing line and keeps the table of the fleets up to date.
const ko = require("knockout");

class Regatta {
  constructor() {
    this.finished = ko.observableArray();
    this.table = ko.computed(() => {
      const fleets = new Map();
      for (const { fleet, seconds } of this.finished()) {
        const { boats, best } = fleets.get(fleet) ?? { boats: 0, best: Infinity };
        fleets.set(fleet, { boats: boats + 1, best: Math.min(best, seconds) });
      }
      return fleets;
    });
  }

  finish(fleet, seconds) {
    this.finished.push({ fleet, seconds });
  }
}

function sail(regatta, boats) {
  for (let number = 0; number < boats; number++) {
    regatta.finish(`fleet ${number % 12}`, 3600 + ((number * 7919) % 1801));
  }
}

async function main() {
  const regatta = new Regatta();
  sail(regatta, Number(process.argv[2]));
  await new Promise(setImmediate);
  const fleets = [...regatta.table()].map(([fleet, { boats, best }]) => `${fleet}: ${boats}, ${best} s`);
  console.log(fleets.slice(0, 3).join("; "));
}

main();
