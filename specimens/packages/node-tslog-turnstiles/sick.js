// Writes the journal of the turnstiles at a zoo, one record for each visitor, and sums the takings up at closing time.
'use strict';
const { Logger } = require('tslog');

class Journal {
  constructor() {
    this.records = 0;
    this.gates = new Set();
  }

  write(record) {
    this.records += 1;
    this.gates.add(record.gate);
  }
}

function* visitors(count) {
  for (let number = 0; number < count; number += 1) {
    yield { gate: number % 7, pence: number % 5 === 0 ? 450 : 1200 };
  }
}

function admit(log, visitor) {
  log.info({ ...visitor, event: 'admitted' });
  return visitor.pence;
}

function main(count) {
  const journal = new Journal();
  const log = new Logger({ name: 'zoo', type: 'hidden', attachedTransports: [(record) => journal.write(record)] });
  let pence = 0;
  for (const visitor of visitors(count)) {
    pence += admit(log, visitor);
  }
  console.log(`${journal.records} records of ${journal.gates.size} gates, ${pence / 100} pounds`);
}

main(Number(process.argv[2]));
