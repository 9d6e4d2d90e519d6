// Prints who is on duty today: the roster is a spreadsheet, read through the service's client; a server here answers.
'use strict';
const http = require('http');
const { google } = require('googleapis');

function spreadsheet() {
  const values = [['Ada', 'early'], ['Bo', 'late'], ['Cleo', 'early'], ['Dan', 'free']];
  const server = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ range: 'Roster!A1:B4', values }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function roster(rootUrl) {
  const sheets = google.sheets({ version: 'v4', auth: 'key', rootUrl });
  const answer = await sheets.spreadsheets.values.get({ spreadsheetId: 'duty', range: 'Roster!A1:B4' });
  return answer.data.values.filter(([, shift]) => shift !== 'free').map(([name]) => name);
}

async function main() {
  const server = await spreadsheet();
  console.log((await roster(`http://127.0.0.1:${server.address().port}/`)).join(' '));
  server.closeAllConnections();
  server.close();
}

main();
