// Opens the lockers of a swimming bath: each guest's code is stretched to a key and the key held against the one on record.
'use strict';
const forge = require('node-forge');

const ROUNDS = 2000;

function guests(count) {
  return Array.from({ length: count }, (_, number) => ({
    locker: 100 + number,
    code: String(1000 + ((number * 7919) % 9000)),
    salt: `bath-${number % 16}-${number}`,
  }));
}

function stretch(code, salt) {
  return forge.pkcs5.pbkdf2(code, salt, ROUNDS, 32, forge.md.sha256.create());
}

function seal(key, locker) {
  const hmac = forge.hmac.create();
  hmac.start('sha256', key);
  hmac.update(`locker ${locker}`);
  return hmac.digest().toHex();
}

function issue(all) {
  return new Map(all.map(({ locker, code, salt }) => [locker, seal(stretch(code, salt), locker)]));
}

function open(record, { locker, code, salt }, mistyped) {
  const typed = mistyped ? code.split('').reverse().join('') : code;
  return record.get(locker) === seal(stretch(typed, salt), locker);
}

function main(count) {
  const all = guests(count);
  const record = issue(all);
  const opened = all.filter((guest, number) => open(record, guest, number % 5 === 0));
  const check = forge.md.sha1.create().update([...record.values()].join()).digest().toHex();
  console.log(`${opened.length} of ${count} lockers open, record ${check.slice(0, 12)}`);
}

main(Number(process.argv[2]));
