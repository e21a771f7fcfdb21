import { createHash, randomUUID } from 'node:crypto';
import { transact } from '../../shared/platform/data/transact.ts';
import { createIdempotency, type Idempotency } from '../../shared/platform/request/idempotency.ts';
import { idempotencyTable } from '../../shared/platform/request/tables.ts';
import { lambdaContext } from '../support/api-event.ts';
import { everyItem } from '../support/every-item.ts';
import { storedTexts } from '../support/stored-texts.ts';
import { createTable, dynamo } from '../support/tables.ts';

// What someone learns who can read the table of idempotency records.

let table: string;
let idempotency: Idempotency;

beforeEach(async () => {
  table = await createTable(idempotencyTable);
  idempotency = createIdempotency(dynamo, table);
});

const scope = ['65f0c1d2e3a4b5c6d7e8f900', 'client_1', 'POST', '/v2/upstream/webhooks'];

/** Executes a write under a key, and answers with `link`. */
const write = (key: string, link: string, inTransaction = true) =>
  idempotency.once<{ readonly link: string }>(
    { key, scope, body: { email: 'maria@agency.com' } },
    lambdaContext,
    {
      operate: async (recordResponse) => {
        if (inTransaction) await transact(dynamo, [...recordResponse({ link })]);
        return { link };
      },
      respond: (data) => ({ status: 201, body: JSON.stringify(data) }),
    },
  );

it.each([
  ['in the transaction', 'https://agencies.example.com/invitation?token=', true],
  ['after the write', 'https://agencies.example.com/invitation?token=', false],
])(
  'a record shows neither its key, nor the body, nor the response: recorded %s',
  async (_, prefix, inTransaction) => {
    const key = randomUUID();
    const link = `${prefix}${randomUUID()}`;
    const first = await write(key, link, inTransaction);
    const texts = (await everyItem(dynamo, table)).flatMap(storedTexts);
    expect(texts.length).toBeGreaterThan(0);
    const bodyHash = createHash('sha256').update('{"email":"maria@agency.com"}').digest('base64');
    for (const secret of [
      key,
      key.replaceAll('-', ''),
      link.slice(-36),
      link.slice(0, 30),
      'maria',
      bodyHash,
    ]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(await write(key, 'another')).toEqual({ ...first, replayed: true });
  },
);

it('equal responses of two keys look different', async () => {
  await write(randomUUID(), 'https://agencies.example.com');
  await write(randomUUID(), 'https://agencies.example.com');
  const [one, other] = await everyItem(dynamo, table);
  expect(one).toMatchObject({ data: { sealed: expect.any(Uint8Array) } });
  expect(one?.['data']).not.toEqual(other?.['data']);
  expect(one?.['validation']).not.toEqual(other?.['validation']);
});
