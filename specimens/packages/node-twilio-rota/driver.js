// Tells the volunteers of a lifeboat station by text message who is on duty tonight; started by cron each evening.
'use strict';
const twilio = require('twilio');

class Rehearsal {
  constructor() {
    this.sent = [];
  }

  async request({ data }) {
    this.sent.push(data);
    const message = { sid: `SM${String(this.sent.length).padStart(32, '0')}`, status: 'queued', to: data.To };
    return { statusCode: 201, body: JSON.stringify(message) };
  }
}

function volunteers(count) {
  return Array.from({ length: count }, (_, number) => ({
    name: `Volunteer ${number}`,
    phone: `+4420794600${String(10 + number)}`,
    duty: ['helm', 'crew', 'tractor', 'shore'][number % 4],
  }));
}

function connect(httpClient) {
  return twilio(`AC${'0'.repeat(32)}`, 'rehearsal', { httpClient });
}

function text({ name, duty }) {
  return `${name}, tonight you are ${duty}. Reply NO if you cannot come.`;
}

async function notify(client, people) {
  const messages = [];
  for (const person of people) {
    messages.push(await client.messages.create({ from: '+442079460000', to: person.phone, body: text(person) }));
  }
  return messages;
}

async function main(count) {
  const rehearsal = new Rehearsal();
  const messages = await notify(connect(rehearsal), volunteers(count));
  console.log(`${messages.filter((message) => message.status === 'queued').length} queued, last ${messages[messages.length - 1].sid.slice(-4)}`);
}

main(Number(process.argv[2]));
