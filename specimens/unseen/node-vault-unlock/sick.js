'use strict';
// Unlocks the deposit boxes of a vault after a restart: each has its own salt and passphrase.

const crypto = require('node:crypto');

const ROUNDS = 60000;

class Box {
  constructor(number) {
    this.number = number;
    this.salt = crypto.createHash('sha256').update(`salt ${number}`).digest();
    this.nonce = this.salt.subarray(0, 12);
    this.key = null;
  }

  get open() {
    return this.key !== null;
  }
}

class AuditLog {
  constructor() {
    this.chain = crypto.createHash('sha256').update('start').digest();
    this.entries = [];
  }

  add(text) {
    this.chain = crypto.createHash('sha256').update(this.chain).update(text).digest();
    this.entries.push({ text, mark: this.chain.toString('hex').slice(0, 8) });
  }
}

function passphrase(box) {
  return `box ${box.number} of the northern vault, ${box.number * 7919}`;
}

function deriveKey(box) {
  return crypto.pbkdf2Sync(passphrase(box), box.salt, ROUNDS, 32, 'sha512');
}

function seal(box, text) {
  const cipher = crypto.createCipheriv('aes-256-gcm', box.key, box.nonce);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

async function openBox(box) {
  box.key = await deriveKey(box);
  return box;
}

async function unlockAll(boxes, log) {
  for (const box of boxes) await openBox(box);
  for (const box of boxes) log.add(`box ${box.number} ${seal(box, 'opened').slice(0, 12)}`);
}

async function main() {
  const count = Number(process.argv[2] || 4);
  const watchdog = setInterval(() => {}, 200);
  const boxes = Array.from({ length: count }, (_, number) => new Box(number));
  const log = new AuditLog();
  await unlockAll(boxes, log);
  clearInterval(watchdog);
  console.log('boxes', boxes.filter((box) => box.open).length, 'last', log.entries.at(-1).text, log.entries.at(-1).mark);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
