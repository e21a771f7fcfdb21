// Node.js 20 or later, without packages.
import { createHmac, createPublicKey, randomUUID, timingSafeEqual, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, WEBHOOK_SECRET = '', PORT = '8080' } = process.env;

/** Sends a request, and again while that can help; a write has one idempotency key for all attempts. */
async function send(method, path, { body, token } = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(token && method !== 'GET' && { 'idempotency-key': randomUUID() }),
  };
  for (let attempt = 1; ; attempt += 1) {
    const signal = AbortSignal.timeout(60_000);
    const request = { method, headers, signal, body: body && JSON.stringify(body) };
    // Without an answer: was it executed? With the same key it is executed once.
    const response = await fetch(BASE_URL + path, request).catch((failure) => failure);
    if (response.ok) return response.json();
    const retryAfter = response.headers?.get('retry-after');
    const canHelp = response instanceof Error || retryAfter || response.status >= 500;
    if (attempt === 6 || !canHelp) {
      throw response instanceof Error ? response : new Error(await response.text());
    }
    const wait = Math.min(2 ** attempt, 60) * (0.5 + Math.random() / 2);
    await delay((Number(retryAfter ?? 0) + wait) * 1_000);
  }
}

/** A token, valid for `expiresIn` seconds: share it. */
async function accessToken() {
  const body = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  return (await send('POST', '/v2/auth/jwt', { body })).data.accessToken;
}

/** One check, with a signed receipt. */
async function maySell(token, npn, productCode, stateCode) {
  const body = { receipt: true, checks: [{ seller: { npn }, product: { productCode }, stateCode }] };
  return (await send('POST', '/v2/upstream/sale-checks', { body, token })).data;
}

/** The signed payload of a receipt. */
async function verifyReceipt(jws) {
  const [head, payload, signature] = jws.split('.');
  const decoded = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { keys } = await send('GET', '/v2/jwks.json');
  const key = createPublicKey({ key: keys.find(({ kid }) => kid === decoded(head).kid), format: 'jwk' });
  const signed = Buffer.from(`${head}.${payload}`);
  const isOurs = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isOurs) throw new Error('Not signed by this service.');
  return decoded(payload);
}

/** Whether this service sent a delivery within the last minutes. For a day after a rotation it has a signature of each secret. */
function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64');
  const own = Buffer.from(
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  const isOurs = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === own.length && timingSafeEqual(given, own);
  });
  return isOurs && Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
}

const answer = await maySell(await accessToken(), '8123456', 'CGL', 'TX');
process.stdout.write(`${answer.checks[0].answer} ${(await verifyReceipt(answer.jws)).receiptId}\n`);

const receiver = createServer(async (request, response) => {
  const body = await text(request).catch(() => '');
  const genuine = isGenuine(request.headers, body);
  response.writeHead(genuine ? 204 : 401).end();
  // Keep the event first, then work on it; drop an eventId that is known.
  if (genuine) process.stdout.write(`${JSON.parse(body).webhookType}\n`);
});
receiver.requestTimeout = 10_000; // Milliseconds for which a sender may take.
receiver.listen(Number(PORT));
