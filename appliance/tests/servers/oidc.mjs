// An OpenID Connect provider for tests. Its argument names one of the files in providers/, whose documents it serves with
// its own addresses in them; without one it is a plain provider. It is as strict as real ones: client authentication only as
// announced, PKCE, redirect URI, and codes that are good once. Beside it, on the printed control port:
//   POST /sign    { claims, header, stranger }  a token signed by the provider, or by a stranger under the same key id
//   POST /claims  { … }                         what the ID tokens of its token endpoint say, besides the file
//   POST /userinfo { … }                        what userinfo says, besides the file; null: it answers 503
//   *    /calendar/…                            a calendar that remembers what it was asked, and answers as told
//   POST /answers { status, … }                 the answers of the calendar, by "METHOD path"
//   GET  /asked                                 what the calendar was asked, and what was given back at the revocation endpoint
// Prints "ready ISSUER CONTROL" and ends with its standard input.
import { constants, createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const CLIENT = { id: 'the-client', secret: 'hidden' };

const PLAIN = {
  discovery: {
    issuer: 'https://id.example.org',
    authorization_endpoint: 'https://id.example.org/authorize',
    token_endpoint: 'https://id.example.org/token',
    userinfo_endpoint: 'https://id.example.org/userinfo',
    revocation_endpoint: 'https://id.example.org/revoke',
    jwks_uri: 'https://id.example.org/jwks',
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
  header: { alg: 'RS256', typ: 'JWT', kid: 'the-key' },
  token: { token_type: 'Bearer', expires_in: 3600 },
  idToken: {},
  userinfo: {},
};

const name = process.argv[2] ?? '';
const file = name === '' ? JSON.stringify(PLAIN) : readFileSync(new URL(`providers/${name}.json`, import.meta.url), 'utf8');
const told = JSON.parse(file.replaceAll('$client', CLIENT.id));

const PAIRS = {
  RS: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  Ed: () => generateKeyPairSync('ed25519'),
};
const { alg, kid } = told.header;
const ours = PAIRS[alg.slice(0, 2)]();
const stranger = PAIRS[alg.slice(0, 2)]();

const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims, header = {}, key = ours) {
  const text = `${base64({ ...told.header, ...header })}.${base64(claims)}`;
  const options = {
    RS: { key: key.privateKey },
    PS: { key: key.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    ES: { key: key.privateKey, dsaEncoding: 'ieee-p1363' },
    Ed: { key: key.privateKey },
  }[alg.slice(0, 2)];
  const digest = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`;
  return `${text}.${sign(digest, Buffer.from(text), options).toString('base64url')}`;
}

let origin = '';
const here = (address) => address.replace(new URL(address).origin, origin);

// Claims that are null are left out.
function standard(claims) {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: here(told.discovery.issuer), iat: now, exp: now + 3600, ...claims };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

let claims = {};
let userinfo = {};
let answers = {};
const asked = [];
const codes = new Map();
const accesses = new Map();

const refusal = (status, error) => ({ status, body: { error, error_description: `The request has ${error}.` } });

// RFC 6749, 2.3.1, and only as the document announces.
function isTheClient(authorization, form) {
  const methods = told.discovery.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const basic = [CLIENT.id, CLIENT.secret].map(encodeURIComponent).join(':');
  if (authorization !== undefined) {
    const isRight = authorization === `Basic ${Buffer.from(basic).toString('base64')}`;
    return methods.includes('client_secret_basic') && isRight && !form.has('client_secret');
  }
  const isRight = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
  return methods.includes('client_secret_post') && isRight;
}

function tokens(subject) {
  const access = randomUUID();
  accesses.set(access, subject);
  return { access_token: access, refresh_token: randomUUID(), ...told.token };
}

const endpoints = {
  jwks_uri: () => {
    const key = { ...ours.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg };
    return { body: { keys: [...(told.keys ?? []), key] } };
  },
  authorization_endpoint: ({ url }) => {
    const { redirect_uri, state, nonce, code_challenge, response_type, code_challenge_method } = Object.fromEntries(url.searchParams);
    const isRight = response_type === 'code' && code_challenge_method === 'S256' && state && nonce;
    if (!isRight || url.searchParams.get('client_id') !== CLIENT.id) return refusal(400, 'invalid_request');
    const code = randomUUID();
    codes.set(code, { redirect_uri, nonce, code_challenge });
    const back = new URL(redirect_uri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', state);
    if (told.discovery.authorization_response_iss_parameter_supported) back.searchParams.set('iss', here(told.discovery.issuer));
    return { status: 302, headers: { location: back.href } };
  },
  token_endpoint: ({ form, authorization }) => {
    if (!isTheClient(authorization, form)) return refusal(401, 'invalid_client');
    if (form.get('grant_type') === 'refresh_token') return { body: tokens() };
    const flow = codes.get(form.get('code'));
    codes.delete(form.get('code'));
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (flow?.redirect_uri !== form.get('redirect_uri') || flow.code_challenge !== challenge) return refusal(400, 'invalid_grant');
    const all = standard({ aud: CLIENT.id, nonce: flow.nonce, ...told.idToken, ...claims });
    return { body: { ...tokens(all.sub), id_token: signed(all) } };
  },
  userinfo_endpoint: ({ authorization }) => {
    const subject = accesses.get(authorization?.replace('Bearer ', ''));
    if (subject === undefined) return refusal(401, 'invalid_token');
    if (userinfo === null) return { status: 503 };
    const says = { sub: subject, ...told.userinfo, ...userinfo };
    if (told.userinfoIsSigned) return { headers: { 'content-type': 'application/jwt' }, text: signed(standard(says)) };
    return { body: says };
  },
  revocation_endpoint: ({ form, authorization }) => {
    asked.push({ method: 'POST', path: '/revoke', body: Object.fromEntries(form), authorization });
    if (!isTheClient(authorization, form)) return refusal(401, 'invalid_client');
    return { status: answers['POST /revoke'] ?? 200 };
  },
};

function respond(request, text) {
  const url = new URL(request.url, origin);
  const issuer = new URL(here(told.discovery.issuer)).pathname.replace(/\/$/, '');
  if (url.pathname === `${issuer}/.well-known/openid-configuration`) {
    const own = Object.keys(endpoints).filter((member) => told.discovery[member]);
    const addresses = ['issuer', ...own].map((member) => [member, here(told.discovery[member])]);
    return { body: { ...told.discovery, ...Object.fromEntries(addresses) } };
  }
  for (const [member, endpoint] of Object.entries(endpoints)) {
    const address = told.discovery[member];
    if (address && new URL(address).pathname === url.pathname) {
      return endpoint({ url, form: new URLSearchParams(text), authorization: request.headers.authorization });
    }
  }
  return { status: 404 };
}

async function control(method, path, body, authorization) {
  if (path === '/sign') return { token: signed(standard(body.claims), body.header, body.stranger ? stranger : ours) };
  if (path === '/claims') return void (claims = body);
  if (path === '/userinfo') return void (userinfo = body);
  if (path === '/answers') return void (answers = body);
  if (path === '/asked') return asked;
  asked.push({ method, path, body, authorization });
  return { status: answers[`${method} ${path}`] ?? 200 };
}

const listen = (answer) =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => void answer(request, response, text));
    });
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`));
  });

origin = await listen((request, response, text) => {
  const { status = 200, headers = {}, body, text: plain } = respond(request, text);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(plain ?? (body === undefined ? '' : JSON.stringify(body)));
});
const controlled = await listen(async (request, response, text) => {
  const body = text === '' ? null : JSON.parse(text);
  const given = (await control(request.method, request.url, body, request.headers.authorization)) ?? {};
  response.writeHead(given.status ?? 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(given));
});
console.log(`ready ${here(told.discovery.issuer)} ${controlled}`);
process.stdin.resume().on('end', () => process.exit(0));
