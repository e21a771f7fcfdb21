// Shared by the tests of agencies that move. Each file that imports it gets its own tables before its first test.

import type { Route } from '#platform/contract/route.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';
import { agencyFunction } from '../../functions/agency/function.ts';
import { agencyRoutes } from '../../functions/agency/routes.ts';
import { contactsFunction } from '../../functions/contacts/function.ts';
import { contactRoutes } from '../../functions/contacts/routes.ts';
import { fileDocumentsFunction } from '../../functions/file-documents/function.ts';
import { fileDocumentRoutes } from '../../functions/file-documents/routes.ts';
import { surplusLinesFilingsFunction } from '../../functions/surplus-lines-filings/function.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import { type Answer, callerOf, type EventOptions, send } from './api-event.ts';
import { testContext } from './context.ts';
import { followedTables } from './followed-lists.ts';
import { agency, filing as filingLine } from './import-lines.ts';
import { movesOn, recordsInto } from './imports.ts';
import { memoryObjectStore } from './memory-object-store.ts';
import { organizationsIn } from './organizations.ts';
import { risingClock } from './rising-clock.ts';
import { dynamo } from './tables.ts';

/** The agencies' routes, by the names of their rows. */
export const routes = {
  ...agencyRoutes.routes,
  ...contactRoutes.routes,
  ...fileDocumentRoutes.routes,
  ...surplusLinesFilingRoutes.routes,
};

let pipelines: ReadonlyMap<string, Pipeline>;
let importRecords: ReturnType<typeof recordsInto>;
export let newOrganization: ReturnType<typeof organizationsIn>;
/** Does moves as the worker does. */
export let finishMoves: ReturnType<typeof movesOn>;
/** Messages of moves that a test holds back; without them, each is done at once. */
export const held: { messages?: object[] | undefined } = {};
export let tables: Readonly<Record<'filings' | 'downstreamEntities' | 'contacts', string>>;

beforeAll(async () => {
  const now = risingClock();
  const all = await followedTables();
  tables = all;
  const context = testContext({ now });
  const objectStore = memoryObjectStore().store;
  const groups = [
    [agencyRoutes, agencyFunction.compose({ dynamo, tables: all, context })],
    [contactRoutes, contactsFunction.compose({ dynamo, tables: all, context })],
    [fileDocumentRoutes, fileDocumentsFunction.compose({ dynamo, objectStore, tables: all, context })],
    [
      surplusLinesFilingRoutes,
      surplusLinesFilingsFunction.compose({ dynamo, objectStore, tables: all, context }),
    ],
  ] as const;
  pipelines = new Map(
    groups.flatMap(([group, pipeline]) =>
      Object.values<Route>(group.routes).map((route) => [`${route.method} ${route.path}`, pipeline] as const),
    ),
  );
  finishMoves = movesOn(all, now);
  importRecords = recordsInto(all, now, async (messages) => {
    if (held.messages === undefined) await finishMoves(messages);
    else held.messages.push(...messages);
  });
  newOrganization = organizationsIn(all.organizations, now);
});

export const id = (): string => newObjectId(new Date());

/** Imports records for an organization; every line must be accepted. */
export async function given(
  organizationId: string | undefined,
  ...records: readonly object[]
): Promise<void> {
  expect(await importRecords(organizationId, records)).toMatchObject({
    imported: records.length,
    rejected: [],
  });
}

export const entity = (_id: string, downstreamOrganizationId: string | null = null, fields: object = {}) =>
  agency(_id, { legalName: `Agency ${_id}`, downstreamOrganizationId, ...fields });

/** Gives an agency to an organization, or to none. */
export const move = (entityId: string, organizationId?: string, fields: object = {}): Promise<void> =>
  given(undefined, entity(entityId, organizationId, fields));

export const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** A filing of an agency with an escalation that waits for it. */
export const filing = (_id: string, downstreamEntityId: string, fields: object = {}) =>
  filingLine(_id, {
    downstreamEntityId,
    policyNumber: `SL-${_id}`,
    status: 'in progress',
    checklist: [
      {
        sourceCategoryId: place.sourceCategoryId,
        name: 'Documents',
        items: [
          {
            sourceTaskId: place.sourceTaskId,
            label: 'Affidavit',
            escalation: { status: 'waiting customer input', messages: [] },
          },
        ],
      },
    ],
    ...fields,
  });

/** Sends a request of an agency's organization, or of a carrier's. */
export function ask(route: Route, organizationId: string, options: EventOptions = {}): Promise<Answer> {
  const pipeline = pipelines.get(`${route.method} ${route.path}`);
  if (pipeline === undefined) throw new Error(`No function serves ${route.path}.`);
  const category = route.path.startsWith('/v2/downstream') ? 'downstreamEntity' : 'upstreamEntity';
  return send(pipeline, route, { identity: callerOf(organizationId, category), ...options });
}

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

/** Uploads a file for an organization, for one of its markets or for none; answers the id, or the status of a refusal. */
export async function upload(
  organizationId: string,
  category: 'Surplus Lines' | 'Other Document',
  marketId?: string,
): Promise<string | number> {
  const boundary = 'part';
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const rawBody = [
    field('category', category),
    marketId === undefined ? '' : field('downstreamEntityAssociationId', marketId),
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n`,
    `Content-Type: application/pdf\r\n\r\n${pdf.toString()}\r\n--${boundary}--\r\n`,
  ].join('');
  const { status, data } = await ask(routes.createAgencyFileDocument, organizationId, {
    rawBody,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  });
  return status === 201 ? String(data['_id']) : status;
}

/** The ids of a list, all pages of it; its total must be their number. */
export async function idsOf(
  route: Route,
  organizationId: string,
  key: string,
  query: Record<string, string> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { status, data } = await ask(route, organizationId, {
      query: { ...query, page: String(page), limit: '2' },
    });
    expect(status).toBe(200);
    const items = data['items'] as Record<string, unknown>[];
    ids.push(...items.map((item) => String(item[key])));
    if (items.length < 2) {
      expect(data['total']).toBe(ids.length);
      return ids.sort();
    }
  }
}
