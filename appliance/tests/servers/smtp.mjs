// An SMTP server for tests, a real one: smtp-server. It takes mail from "games" with the password "sesame", over TLS
// from the first byte ("tls") or after STARTTLS ("starttls"). What it does with a letter depends on how the recipient's
// address begins:
//   refused  550 5.1.1, as for mailboxes that do not exist (RFC 5321, 4.2.3; RFC 3463, 3.2)
//   grey     451 4.7.1 for the first try, then taken: greylisting (RFC 6647, 2.4 and 5)
//   bye      421 4.7.0 and the end of the connection for the first try (RFC 5321, 3.8 and 4.2.3), then taken
//   slow     no answer to the recipient
// Other recipients are taken. On the printed control port:
//   GET /mails  what it took: from, to, the name in EHLO, whether it came encrypted, and the text
//   GET /tries  the recipients of all tries, in order
// Prints "ready PORT CONTROL" and ends with its standard input.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../webapp/package.json', import.meta.url));
const { SMTPServer } = require('smtp-server');

const file = (name) => readFileSync(new URL(`tls/${name}`, import.meta.url));
const mails = [];
const tries = [];
const refusal = (responseCode, text) => Object.assign(new Error(text), { responseCode });
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
    const isFirst = !tries.includes(address);
    tries.push(address);
    if (address.startsWith('refused')) done(refusal(550, '5.1.1 No such mailbox'));
    else if (address.startsWith('grey') && isFirst) done(refusal(451, '4.7.1 Greylisted, please try again later'));
    else if (address.startsWith('bye') && isFirst) {
      done(refusal(421, '4.7.0 Too busy, closing the connection'));
      for (const connection of smtp.connections) if (connection.id === session.id) connection.close();
    } else if (!address.startsWith('slow')) done();
  },
  onData(stream, session, done) {
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const text = Buffer.concat(chunks).toString('utf8');
      mails.push({ from: mailFrom.address, to, hello: session.hostNameAppearsAs, secure: session.secure, text });
      done();
    });
  },
});
smtp.on('error', () => {});
smtp.listen(0, '127.0.0.1', () => {
  const control = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/tries' ? tries : mails));
  });
  control.listen(0, '127.0.0.1', () => {
    console.log(`ready ${smtp.server.address().port} http://127.0.0.1:${control.address().port}`);
  });
});
process.stdin.resume().on('end', () => process.exit(0));
