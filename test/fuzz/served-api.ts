import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tablesOf } from '#domain/tables.ts';
import { features } from '#platform/contract/route.ts';
import { tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { importFunction } from '../../functions/import/function.ts';
import { openListener } from '../../infra/local/listener.ts';
import { sampleLines } from '../../infra/samples.ts';
import { dynamo } from '../support/tables.ts';
import { composeApi } from './composition.ts';
import type { Caller, FuzzedRequest } from './requests.ts';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

type Credentials = Readonly<Record<Caller, Readonly<Record<string, string>>>>;

/** `composeApi` behind a port, with the samples of a carrier and its agency. */
export async function serveApi(options: Parameters<typeof composeApi>[0] & { readonly connections: number }) {
  const { handler, tables, context } = await composeApi(options);
  const listener = await openListener(0);
  listener.serve(handler);
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, tables.organizations),
    options.now,
  );

  /** Sends a request with its path as it is, which `fetch` would correct. */
  const send = ({ method, path, headers, body }: Omit<FuzzedRequest, 'caller' | 'template'>) =>
    new Promise<Answered>((resolve, reject) => {
      const sent = httpRequest(
        {
          agent,
          host: '127.0.0.1',
          port: new URL(listener.address).port,
          method,
          path,
          headers: { ...headers, 'content-length': body?.byteLength ?? 0 },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString('utf8'),
              headers: response.headers,
            }),
          );
          response.on('error', reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });

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
  const importRecords = importFunction.compose({
    tables: tablesOf(dynamo, tables),
    sendMoves: () => Promise.resolve(),
    context,
  });
  for (const [side, { organizationId }] of [
    ['downstream', agency],
    ['upstream', carrier],
  ] as const) {
    const lines = sampleLines(side, newYorkDate(options.now()));
    const answer = await importRecords({ organizationId, firstLine: 1, lines });
    if (!JSON.stringify(answer).includes('"rejected":[]'))
      throw new Error(`Rejected: ${JSON.stringify(answer)}`);
  }

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

  return {
    send,
    /** Headers of each caller, with new access tokens. */
    credentials: async (): Promise<Credentials> => ({
      carrier: await bearer(carrier.client),
      'carrier token': { 'x-restricted-access-token': carrier.token },
      agency: await bearer(agency.client),
      'agency token': { 'x-restricted-access-token': agency.token },
      garbage: { authorization: 'Bearer e30.e30.e30', 'x-restricted-access-token': 'x'.repeat(43) },
      nobody: {},
    }),
    async close(): Promise<void> {
      agent.destroy();
      await listener.close();
    },
  };
}
