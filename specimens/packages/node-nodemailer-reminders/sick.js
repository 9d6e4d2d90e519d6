// Reminds the members of a club of their dues; a small mail server in a child stands for the provider's.
'use strict';
const { fork } = require('child_process');
const nodemailer = require('nodemailer');
const { SMTPServer } = require('smtp-server');

function provider() {
  const server = new SMTPServer({
    disableReverseLookup: true,
    onAuth: (auth, session, done) => done(null, { user: auth.username }),
    onData(stream, session, done) {
      stream.on('end', done).resume();
    },
  });
  server.server.on('connection', (socket) => socket.setNoDelay());
  server.listen(0, '127.0.0.1', () => process.send(server.server.address().port));
  process.on('disconnect', () => process.exit());
}

function outbox(port) {
  const tls = { rejectUnauthorized: false };
  return nodemailer.createTransport({ host: '127.0.0.1', port, auth: { user: 'club', pass: 'secret' }, tls });
}

async function remind(outbox, members) {
  let sent = 0;
  for (let member = 0; member < members; member += 1) {
    const letter = { from: 'club@example.org', to: `member${member}@example.org`, subject: 'Dues', text: `Please pay ${member % 9} euros.` };
    const result = await outbox.sendMail(letter);
    sent += result.accepted.length;
  }
  return sent;
}

function main(members) {
  const child = fork(__filename);
  child.on('message', async (port) => {
    const transport = outbox(port);
    console.log(await remind(transport, members));
    transport.close();
    child.disconnect();
  });
}

if (process.send) provider();
else main(Number(process.argv[2]));
