// Calls up the patients of a clinic's waiting room, the urgent ones first; the desk registers them all before it opens.
'use strict';
const async = require('async');

function patients(count) {
  return Array.from({ length: count }, (_, number) => ({
    number,
    age: 1 + ((number * 37) % 96),
    urgency: 1 + ((number * 7919) % 500),
  }));
}

function examine(patient, done) {
  const minutes = 5 + (patient.age % 20);
  setImmediate(() => done(null, { number: patient.number, minutes }));
}

function admit(room, patient, report) {
  room.push(patient, patient.urgency, (error, visit) => {
    if (error) throw error;
    report(visit);
  });
}

function summary(visits) {
  const minutes = visits.reduce((sum, visit) => sum + visit.minutes, 0);
  const check = visits.reduce((sum, visit, at) => (sum * 31 + visit.number + at) % 1000003, 7);
  return `${visits.length} visits, ${minutes} minutes, ${check}`;
}

function main(count) {
  const room = async.priorityQueue(examine, 4);
  const visits = [];
  const waiting = patients(count);
  for (const patient of waiting) {
    admit(room, patient, (visit) => {
      visits.push(visit);
      if (visits.length === waiting.length) console.log(summary(visits));
    });
  }
}

main(Number(process.argv[2]));
