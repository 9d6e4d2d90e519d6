// Keeps the roster of a lifeboat crew in the order of their watches, as the volunteers sign up during a day.
'use strict';
const Backbone = require('backbone');

const Volunteer = Backbone.Model.extend({ defaults: { watch: 0, name: '' } });

const Roster = Backbone.Collection.extend({
  model: Volunteer,
  comparator(volunteer) {
    return volunteer.get('watch') * 100000 + volunteer.id;
  },
});

function* signups(count) {
  for (let number = 0; number < count; number += 1) {
    yield { id: number, name: `volunteer ${number}`, watch: (number * 37) % 48 };
  }
}

function enrol(count) {
  const roster = new Roster();
  roster.add([...signups(count)]);
  return roster;
}

function firstOfWatches(roster) {
  const first = new Map();
  roster.each((volunteer) => {
    const watch = volunteer.get('watch');
    if (!first.has(watch)) {
      first.set(watch, volunteer.get('name'));
    }
  });
  return first;
}

function main(count) {
  const roster = enrol(count);
  const first = firstOfWatches(roster);
  console.log(`${roster.length} signed up, ${first.size} watches, ${first.get(0)} to ${roster.last().get('name')}`);
}

main(Number(process.argv[2]));
