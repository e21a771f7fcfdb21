import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { type Listener, openListener } from '../../infra/local/listener.ts';
import { KB, MB } from '../../shared/platform/aws/limits.ts';
import { features } from '../../shared/platform/contract/access.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { dynamo } from '../support/tables.ts';
import { composeApi } from './composition.ts';
import { createKnownIds } from './known-ids.ts';
import { anyRequest, type Caller, type FuzzedRequest } from './requests.ts';
import { seedRecords } from './seed.ts';

const total = Number(process.env['FUZZ_REQUESTS'] ?? 60);
/** Which requests are sent follows from it; how those under way at once interleave does not. */
const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const concurrency = 16;
const tenths = 10;
/** What the heap may grow after its first two tenths, in which caches fill. */
const growth = 32 * MB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A second for each request, so that the rate limits let most of them through. */
let clock = Date.parse('2026-03-01T12:00:00.000Z');
const longestLine = { length: 0, line: '' };
const faults: string[] = [];
const serverErrors: string[] = [];
let listener: Listener;
let credentials: Record<Caller, Record<string, string>>;
let renew: () => Promise<void>;
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
const ids = createKnownIds();

beforeAll(async () => {
  const now = () => new Date(clock);
  const { handler, tables, context } = await composeApi({
    now,
    onLog: (line) => {
      if (line.length > longestLine.length)
        Object.assign(longestLine, { length: line.length, line: line.slice(0, 2_000) });
      if (line.includes('"request_failed"')) serverErrors.push(line.slice(0, 2_000));
    },
    onFault: (fault) => void faults.push(fault.slice(0, 500)),
  });
  listener = await openListener(0);
  listener.serve(handler);
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, tables.organizations),
    now,
  );
  const organization = async (category: 'upstreamEntity' | 'downstreamEntity') => {
    const { organizationId } = await organizations.create({
      name: 'Fuzz',
      category,
      features: [...features],
      subscription: 'active',
      planCeiling: 100,
    });
    const client = await organizations.createClient(organizationId, 'Fuzz');
    const { token } = await organizations.createToken(organizationId, 'Fuzz', ['198.51.100.7']);
    return { organizationId, client, token };
  };
  const [carrier, agency] = [await organization('upstreamEntity'), await organization('downstreamEntity')];
  await seedRecords({ carrier: carrier.organizationId, agency: agency.organizationId }, { tables, context });
  renew = async () => {
    const bearer = async (client: { readonly clientId: string; readonly clientSecret: string }) => {
      const { status, text } = await send({
        method: 'POST',
        path: '/v2/auth/jwt',
        headers: { 'content-type': 'application/json', 'x-local-source-ip': '192.0.2.200' },
        body: Buffer.from(JSON.stringify({ clientId: client.clientId, clientSecret: client.clientSecret })),
      });
      if (status !== 201) throw new Error(`No token: ${status} ${text}`);
      return { authorization: `Bearer ${JSON.parse(text).data.accessToken}` };
    };
    credentials = {
      carrier: await bearer(carrier.client),
      'carrier token': { 'x-restricted-access-token': carrier.token },
      agency: await bearer(agency.client),
      'agency token': { 'x-restricted-access-token': agency.token },
      garbage: { authorization: 'Bearer e30.e30.e30', 'x-restricted-access-token': 'x'.repeat(43) },
      nobody: {},
    };
  };
  await renew();
}, 300_000);
afterAll(async () => {
  agent.destroy();
  await listener.close();
});

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with its path as it is, which `fetch` would correct. */
const send = ({
  method,
  path,
  headers,
  body,
}: Omit<FuzzedRequest, 'caller' | 'template'>): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(listener.address);
    const sent = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, 'content-length': body?.byteLength ?? 0 },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

const counts = new Map<number, number>();

async function play(fuzzed: FuzzedRequest): Promise<void> {
  clock += 1_000;
  const path = ids.fill(fuzzed.path);
  const body =
    fuzzed.body &&
    (fuzzed.body.byteLength < 64 * KB
      ? Buffer.from(ids.fill(Buffer.from(fuzzed.body).toString('latin1')), 'latin1')
      : fuzzed.body);
  const { status, text } = await send({
    ...fuzzed,
    path,
    body,
    headers: { ...fuzzed.headers, ...credentials[fuzzed.caller] },
  });
  counts.set(status, (counts.get(status) ?? 0) + 1);
  const description = `${fuzzed.method} ${path.slice(0, 300)} as ${fuzzed.caller}, ${JSON.stringify(
    Buffer.from(body ?? '')
      .toString('utf8')
      .slice(0, 500),
  )}: ${status} ${text.slice(0, 500)}`;
  if (status >= 500)
    throw new Error(`A 5xx: ${description}\n${serverErrors.at(-1) ?? ''}\n${faults.at(-1) ?? ''}`);
  if (status >= 400 && text.length > 64 * KB)
    throw new Error(`A refusal of ${text.length} bytes: ${description}`);
  if (status < 300) ids.learn(fuzzed.template, text);
}

it(`${total} requests from the seed ${seed} get no 5xx, no long refusal and no long log line, and leave the heap flat`, async () => {
  const heap: number[] = [];
  let sent = 0;
  for (let tenth = 0; tenth < tenths; tenth += 1) {
    const until = Math.round((total * (tenth + 1)) / tenths);
    while (sent < until) {
      // A batch at a time: all requests at once would be what fills the heap.
      const numRuns = Math.min(500, until - sent);
      const requests = fc.sample(anyRequest, { seed: seed + sent, numRuns }).values();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (const one of requests) await play(one);
        }),
      );
      sent += numRuns;
      await renew();
    }
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
  }
  const inMB = heap.map((used) => Math.round((used / MB) * 10) / 10).join(', ');
  const statuses = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
  process.stdout.write(
    `Seed ${seed}. Answers ${statuses}. Heap at each tenth, in MB: ${inMB}. Longest log line: ${longestLine.length} bytes.\n`,
  );
  expect(longestLine.length).toBeLessThanOrEqual(16 * KB);
  expect(Math.max(...heap.slice(2)) - (heap[1] ?? 0)).toBeLessThan(growth);
  expect(counts.get(200)).toBeGreaterThan(0);
  // One request of 150 creates something, so that a short run may have none.
  expect(counts.get(201) ?? 0).toBeGreaterThanOrEqual(total < 10_000 ? 0 : 1);
}, 3_600_000);
