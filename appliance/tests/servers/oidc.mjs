// An OpenID Connect provider for tests, a real one: oauth2-mock-server. Beside it, on the printed control port:
//   POST /sign    { claims, header, stranger }  a token signed by the provider, or by a stranger under the same key id
//   POST /claims  { … }                         what the ID tokens of its token endpoint say
//   *    /calendar/…                            a calendar that remembers what it was asked, and answers as told
//   POST /answers { status, … }                 the answers of the calendar, by "METHOD path"
//   GET  /asked                                 what the calendar was asked, and what was given back at POST /revoke
// Prints "ready ISSUER CONTROL" and ends with its standard input.
import { createServer } from 'node:http';

const { OAuth2Server } = await import(
  new URL('../../../webapp/node_modules/oauth2-mock-server/dist/index.mjs', import.meta.url).href
);

const kid = 'the-key';
const provider = new OAuth2Server();
await provider.issuer.keys.generate('RS256', { kid });
await provider.start(0, '127.0.0.1');

const stranger = new OAuth2Server();
await stranger.issuer.keys.generate('RS256', { kid });
stranger.issuer.url = provider.issuer.url;

let claims = {};
let answers = {};
const asked = [];
provider.service.on('beforeRevoke', (response, request) => {
  const { body, headers } = request;
  asked.push({ method: 'POST', path: '/revoke', body, authorization: headers.authorization });
  response.statusCode = answers['POST /revoke'] ?? 200;
});
provider.service.on('beforeTokenSigning', ({ payload }) => Object.assign(payload, claims));

async function answer(method, path, body, authorization) {
  if (path === '/sign') {
    const { issuer } = body.stranger ? stranger : provider;
    return {
      token: await issuer.buildToken({
        scopesOrTransform: (header, payload) => {
          Object.assign(header, body.header);
          Object.assign(payload, body.claims);
        },
      }),
    };
  }
  if (path === '/claims') return void (claims = body);
  if (path === '/answers') return void (answers = body);
  if (path === '/asked') return asked;
  asked.push({ method, path, body, authorization });
  return { status: answers[`${method} ${path}`] ?? 200 };
}

const control = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', async () => {
    const body = text === '' ? null : JSON.parse(text);
    const given = (await answer(request.method, request.url, body, request.headers.authorization)) ?? {};
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(given));
  });
});
control.listen(0, '127.0.0.1', () => {
  console.log(`ready ${provider.issuer.url} http://127.0.0.1:${control.address().port}`);
});
process.stdin.resume().on('end', () => process.exit(0));
