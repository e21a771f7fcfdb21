import type { Route } from '#platform/contract/route.ts';
import { isObject } from '../../infra/text.ts';
import { bodyFor } from '../support/demo.ts';
import { callerOf, fill, routes } from '../support/every-route.ts';
import { documentIn, upload as uploadAt } from '../support/file-documents.ts';
import { pdf, scannedSlowly } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { namedAgency } from '../support/import-lines.ts';
import {
  agency,
  agencyFilings,
  carrier,
  newFiling,
  place,
  upload,
  upstreamFilings,
  write,
} from '../support/imported-filings.ts';
import { call, importRecords } from '../support/local-api.ts';
import { document } from '../support/openapi.ts';

// That errors have the `details` that the document promises of them, for every operation whose description names one: a promise
// that is added fails until a case here shows it.

/** What only hundreds of records, or events of a month ago, show: other tests store them directly. */
const shownElsewhere: Readonly<Record<string, string>> = {
  limit:
    'file-documents-last-version, filings-files, filings-replies, and compliance-configs in test/integration',
  earliest: 'test/integration/events-feed.test.ts',
};

const promises = routes.flatMap(([title, route]) => {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()];
  const named = operation?.description.matchAll(/\bdetails\.(\w+)/g) ?? [];
  const members = new Set(Array.from(named, ([, member = '']) => member));
  return Array.from(members, (member): [string, string, Route] => [member, title, route]);
});

const [npn, producerCode] = ['17654388', 'P-OF-THE-FIRST'];
const [entity, market, other] = [newId(), newId(), newId()];

beforeAll(async () => {
  const association = { type: 'association', downstreamEntityId: entity };
  await importRecords(agency.organizationId, namedAgency(entity, 'Lone Star Brokerage', { npn }));
  await importRecords(
    carrier.organizationId,
    { ...association, _id: market, producerCode },
    { ...association, _id: other, branchName: 'Austin' },
  );
});

const personas = () => ({ upstreamEntity: carrier, downstreamEntity: agency });

/** Sends a request of a route as one who may, with other fields of the body than the document's example. */
function send(route: Route, change: object = {}, ids: Readonly<Record<string, string>> = {}) {
  const { body } = bodyFor(route);
  return call(
    route.method,
    fill(route.path, (name) => ids[name] ?? newId()),
    {
      headers: callerOf(route, personas()).bearer,
      ...(route.body === undefined ? {} : { body: { ...(isObject(body) ? body : {}), ...change } }),
    },
  );
}

/** A file that is attached to a filing, and what a route is asked about another filing with that file. */
async function attachedFile(route: Route) {
  const owner = callerOf(route, personas());
  const [file, filing, filingId] = [await upload(owner, pdf()), await newFiling(), await newFiling()];
  const filings = owner === agency ? agencyFilings : upstreamFilings;
  const body = { ...place, fileDocumentIds: [file] };
  const attached = await write('POST', `${filings}/${filing}/checklist-item/file-documents`, owner, body);
  expect(attached.status).toBe(201);
  const isDocument = route.path.endsWith('/policy-document');
  return { file, change: isDocument ? { fileDocumentId: file } : body, ids: { filingId } };
}

/** For each member the refusal of a route that has it, and its value. */
const cases: Readonly<
  Record<
    string,
    (route: Route) => Promise<{ readonly answer: Awaited<ReturnType<typeof call>>; readonly value: unknown }>
  >
> = {
  async licenseRequestId(route) {
    const request = { downstreamEntityId: entity, npn, stateCode: 'WY', type: 'new' };
    const { json } = await send(route, request);
    const { _id } = json['data'] as { _id: string };
    return { answer: await send(route, request), value: _id };
  },
  async contactId(route) {
    const contact = {
      upstreamDownstreamAssociationId: market,
      downstreamEntityId: undefined,
      isPrimary: true,
    };
    const [taken, free] = [
      `taken-by-${route.method}@lonestar.example`,
      `of-${route.method}@lonestar.example`,
    ];
    const add = async (fields: object) => {
      const body = { firstName: 'Maria', lastName: 'Delgado', ...fields };
      const { json } = await call('POST', '/v2/downstream/contacts', { headers: agency.bearer, body });
      return json['data'] as { contactId: string };
    };
    if (route.method === 'POST') {
      const { contactId } = await add({ ...contact, email: taken });
      return { answer: await send(route, { ...contact, email: free }), value: contactId };
    }
    const [one, { contactId }] = [
      await add({ downstreamEntityId: entity, email: taken }),
      await add({ downstreamEntityId: entity, email: free }),
    ];
    return { answer: await send(route, { email: taken }, { contactId }), value: one.contactId };
  },
  async downstreamEntityAssociationId(route) {
    const another = route.path.endsWith('/add') ? { downstreamEntityNpn: '17654377' } : {};
    const change = { producerCode, externalId: undefined, ...another };
    return { answer: await send(route, change, { downstreamEntityAssociationId: other }), value: market };
  },
  async onFiling(route) {
    const { file, change, ids } = await attachedFile(route);
    return { answer: await send(route, change, ids), value: [file] };
  },
  async actual(route) {
    const at = route.path.slice(0, route.path.indexOf('/{'));
    const owner = callerOf(route, personas());
    // A category of its own for each version of the API: a second file would be a version of the first one's document.
    const fields = { category: route.path.startsWith('/v1/') ? 'Cyber' : 'W9' };
    const slow = await uploadAt(owner, pdf(scannedSlowly), 'a.pdf', { at, fields });
    const { _id } = documentIn(slow);
    return { answer: await send(route, {}, { fileDocumentId: _id }), value: 'scanning' };
  },
};

it.each(promises.filter(([member]) => !(member in shownElsewhere)))(
  'details.%s of %s',
  async (member, _, route) => {
    const show = cases[member];
    if (show === undefined) throw new Error(`No case shows details.${member}.`);
    const { answer, value } = await show(route);
    expect(answer.json).toMatchObject({ errorType: expect.any(String), details: { [member]: value } });
  },
);

it('no case is left without a promise', () => {
  const promised = new Set(promises.map(([member]) => member));
  expect([...Object.keys(cases), ...Object.keys(shownElsewhere)].sort()).toEqual([...promised].sort());
});
