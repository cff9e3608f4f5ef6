// An SMTP server for tests, a real one: smtp-server. It takes mail from "games" with the password "sesame", over TLS
// from the first byte ("tls") or after STARTTLS ("starttls"), and on the printed control port:
//   GET /mails  what it took: from, to, whether it came encrypted, and the text
// Prints "ready PORT CONTROL" and ends with its standard input.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../webapp/package.json', import.meta.url));
const { SMTPServer } = require('smtp-server');

const file = (name) => readFileSync(new URL(`tls/${name}`, import.meta.url));
const mails = [];
const smtp = new SMTPServer({
  secure: process.argv[2] === 'tls',
  key: file('server.key'),
  cert: file('server.pem'),
  // Without encryption it takes no password, and without a password no mail.
  allowInsecureAuth: false,
  onAuth({ username, password }, session, done) {
    if (username === 'games' && password === 'sesame') done(null, { user: username });
    else done(new Error('Wrong username or password'));
  },
  onRcptTo({ address }, session, done) {
    if (address.startsWith('refused@')) done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
    else done();
  },
  onData(stream, session, done) {
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      const text = Buffer.concat(chunks).toString('utf8');
      mails.push({ from: mailFrom.address, to: rcptTo.map((to) => to.address), secure: session.secure, text });
      done();
    });
  },
});
smtp.on('error', () => {});
smtp.listen(0, '127.0.0.1', () => {
  const control = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(mails));
  });
  control.listen(0, '127.0.0.1', () => {
    console.log(`ready ${smtp.server.address().port} http://127.0.0.1:${control.address().port}`);
  });
});
process.stdin.resume().on('end', () => process.exit(0));
