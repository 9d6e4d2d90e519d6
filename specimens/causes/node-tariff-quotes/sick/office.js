'use strict';
// The post office: knows zones and tariffs from one document.

function tariffDocument() {
  const countries = {};
  for (let number = 0; number < 200; number += 1) countries[`C${number}`] = { zone: (number * 7) % 9, langs: ['en', 'fr'] };
  const zones = [];
  for (let zone = 0; zone < 9; zone += 1) {
    const steps = [];
    for (let step = 1; step <= 20; step += 1) steps.push({ grams: step * 1000, cents: 300 + zone * 120 + step * (40 + zone) });
    zones.push({ zone, steps, insurance: 150 + zone * 10 });
  }
  return JSON.stringify({ version: 3, countries, zones });
}

class Office {
  constructor() {
    this.document = tariffDocument();
  }

  tariffs() {
    return JSON.parse(this.document);
  }

  zoneOf(country) {
    const found = this.tariffs().countries[country];
    return found === undefined ? 8 : found.zone;
  }

  quote(parcel) {
    const zone = this.zoneOf(parcel.country);
    const { steps, insurance } = this.tariffs().zones[zone];
    const step = steps.find((one) => parcel.grams <= one.grams) || steps[steps.length - 1];
    return step.cents + (parcel.insured ? insurance : 0);
  }
}

module.exports = { Office };
