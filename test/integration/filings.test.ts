import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { downstreamEntityKeys } from '#domain/downstream-entities/stored.ts';
import type { StoredFiling } from '#domain/filings/stored.ts';
import type { Route } from '#platform/contract/route.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { entityOf } from '../support/agency-records.ts';
import {
  attachment,
  category,
  checklistItem,
  escalation,
  filingOf,
  message,
  newId,
  objectsWithin,
} from '../support/filings.ts';
import {
  affidavit,
  agency,
  ask,
  carrier,
  downstream,
  filing,
  given,
  imported,
  importLines,
  newOrganization,
  operator,
  question,
  routes,
  store,
  tables,
  upstream,
  waiting,
} from '../support/filings-tests.ts';
import { namedAgency } from '../support/import-lines.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('the detail of a filing', () => {
  const secret = 'never to be seen';

  async function withEverything(recordOwner: string) {
    const upstream = newId();
    const filing = filingOf(upstream, {
      recordOwner,
      policyDocument: attachment(),
      completionArtifacts: [{ type: 'receipt', ...attachment() }],
      checklist: [
        category(
          'second',
          [
            checklistItem('b', { order: 2, checked: true, attachments: [attachment()] }),
            checklistItem('a', {
              escalation: escalation({ status: 'waiting service input' }),
              attachments: [attachment(), attachment()],
            }),
          ],
          { order: 2 },
        ),
        category(
          'first',
          [
            checklistItem('private', {
              escalation: escalation({ category: 'private', status: 'waiting customer input' }),
            }),
          ],
          { order: 1 },
        ),
        category(
          'internal',
          [checklistItem('internal', { label: secret, checked: true, escalation: escalation() })],
          { name: secret, isInternal: true, order: 0 },
        ),
      ],
    });
    await given(filing, [
      message('second', 'a', {
        sentAt: '2026-03-02T00:00:00.000Z',
        body: 'later',
        attachments: [attachment()],
      }),
      message('second', 'a', { sentAt: '2026-03-01T00:00:00.000Z', body: 'earlier' }),
      message('first', 'private', { body: secret }),
      message('internal', 'internal', { body: secret, attachments: [attachment({ fileName: secret })] }),
    ]);
    return { filing, upstream };
  }

  it('neither shows nor counts private escalations and internal categories', async () => {
    const agencyId = newId();
    const { filing, upstream } = await withEverything(agencyId);
    const answers = [
      await ask(routes.getFiling, carrier(upstream), { filingId: filing._id }),
      await ask(routes.getAgencyFiling, agency(agencyId), { filingId: filing._id }),
      await ask(routes.getFilingV1, carrier(upstream), { filingId: filing._id }),
    ];
    for (const { status, data } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(data)).not.toContain(secret);
      expect(data).toMatchObject({
        actionRequired: false,
        checklistProgress: { checked: 1, total: 3 },
        escalations: [
          {
            checklistItemLabel: 'Label of a',
            status: 'waiting service input',
            messages: [{ body: 'earlier' }, { body: 'later', attachments: [{ fileName: 'proof.pdf' }] }],
          },
        ],
        checklist: [
          { sourceCategoryId: 'first', items: [{ sourceTaskId: 'private', escalation: null }] },
          { sourceCategoryId: 'second', items: [{ sourceTaskId: 'a' }, { sourceTaskId: 'b' }] },
        ],
      });
      expect(data.escalations[0]).toMatchObject(data.checklist[1]?.items[0]?.escalation ?? {});
    }
    const haveIds = answers.map(({ data }) => data.escalations.map((listed) => 'sourceTaskId' in listed));
    expect(haveIds).toEqual([[true], [true], [false]]);
    expect(answers[0]?.data.escalations).toMatchObject([{ sourceCategoryId: 'second', sourceTaskId: 'a' }]);
  });

  it('names the document of every file in v2 and of none in v1', async () => {
    const { filing, upstream } = await withEverything(newId());
    const filesIn = (value: unknown) => objectsWithin(value).filter((object) => 'downloadUrl' in object);
    const v2 = await ask(routes.getFiling, carrier(upstream), { filingId: filing._id });
    const v1 = await ask(routes.getFilingV1, carrier(upstream), { filingId: filing._id });
    // Three attachments, a message's twice (its escalation is listed twice), policy document, and artifact.
    expect(filesIn(v2.data)).toHaveLength(7);
    expect(filesIn(v1.data)).toHaveLength(7);
    for (const file of filesIn(v2.data)) expect(file['fileDocumentId']).toMatch(/^[0-9a-f]{24}$/);
    for (const object of objectsWithin(v1.data)) expect(object).not.toHaveProperty('fileDocumentId');
    const withoutIds = v2.data.checklist.flatMap(({ items }) =>
      items.flatMap((item) => item.escalation ?? []),
    );
    expect(v1.data).toEqual(
      JSON.parse(
        JSON.stringify({ ...v2.data, escalations: withoutIds }, (key, value) =>
          key === 'fileDocumentId' ? undefined : value,
        ),
      ),
    );
  });

  it('takes one database call, even with 200 items and 100 messages', async () => {
    const upstream = newId();
    const agencyId = newId();
    const items = Array.from({ length: 200 }, (_, index) =>
      checklistItem(`t${index}`, { order: index, attachments: [attachment()], escalation: escalation() }),
    );
    const messages = Array.from({ length: 100 }, (_, index) =>
      message('c', `t${index % 7}`, {
        sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
        body: 'x'.repeat(2_000),
      }),
    );
    const filing = filingOf(upstream, {
      recordOwner: agencyId,
      checklist: [category('c', items)],
    });
    await given(filing, messages);
    const reads = [
      [routes.getFiling, carrier(upstream)],
      [routes.getAgencyFiling, agency(agencyId)],
    ] as const;
    for (const [route, caller] of reads) {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const { calls, inSequence } = await databaseCalls(async () => {
        answer = await ask(route, caller, { filingId: filing._id });
      });
      expect({ calls, inSequence }).toMatchObject({ calls: ['QueryCommand'], inSequence: 1 });
      expect(answer?.data.checklist[0]?.items).toHaveLength(200);
      expect(answer?.data.escalations.flatMap((one) => one.messages)).toHaveLength(100);
    }
  });

  it('is found by its two owners only, and not once deleted', async () => {
    const upstream = newId();
    const agencyId = newId();
    const filing = await given(filingOf(upstream, { recordOwner: agencyId }));
    const read = async (route: Route, caller: ReturnType<typeof carrier>) =>
      (await ask(route, caller, { filingId: filing._id })).status;
    expect(await read(routes.getFiling, carrier(upstream))).toBe(200);
    expect(await read(routes.getAgencyFiling, agency(agencyId))).toBe(200);
    expect(await read(routes.getFiling, carrier())).toBe(404);
    expect(await read(routes.getAgencyFiling, agency())).toBe(404);
    expect(await read(routes.getAgencyFiling, agency(upstream))).toBe(404);

    const previous = await store().find('upstream', upstream, filing._id);
    await store().save(previous, { filing: { ...filing, isDeleted: true } }, []);
    expect(await read(routes.getFiling, carrier(upstream))).toBe(404);
    expect(await read(routes.getAgencyFiling, agency(agencyId))).toBe(404);
    expect((await ask(routes.listFilings, carrier(upstream))).data).toEqual([]);
    expect(await store().findById(filing._id)).toMatchObject({ filing: { isDeleted: true } });
  });

  it('follows its agency to another organization, with earlier messages', async () => {
    const upstream = newId();
    const [first, second] = [newId(), newId()];
    const filing = await given(waiting(upstream, { recordOwner: first }), [
      message('documents', 'affidavit', { body: 'from before' }),
    ]);
    const previous = await store().find('upstream', upstream, filing._id);
    await store().save(previous, { filing: { ...filing, recordOwner: second } }, []);
    const seenBy = (organizationId: string) =>
      ask(routes.getAgencyFiling, agency(organizationId), { filingId: filing._id });
    // The index lacks the old message's new key: the count shows it, and the table is read.
    expect((await seenBy(second)).data.escalations[0]?.messages).toMatchObject([{ body: 'from before' }]);
    expect((await seenBy(first)).status).toBe(404);
    const listed = async (organizationId: string) =>
      (await ask(routes.listAgencyFilings, agency(organizationId))).data;
    expect(await listed(first)).toMatchObject({ items: [], total: 0 });
    expect(await listed(second)).toMatchObject({ items: [{ _id: filing._id }], total: 1 });
  });
});

describe('lists of filings', () => {
  const statuses = ['filed', 'on hold'] as const;
  const states = ['TX', 'CA'] as const;
  const upstream = newId();
  const agencyId = newId();
  const all: StoredFiling[] = [];

  beforeAll(async () => {
    for (const status of statuses) {
      for (const stateCode of states) {
        for (const n of [1, 2]) {
          const base = n === 1 ? waiting(upstream) : filingOf(upstream);
          all.push({
            ...base,
            status,
            stateCode,
            policyNumber: `P-${n}`,
            externalReference: n === 1 ? `R-${stateCode}` : null,
            recordOwner: agencyId,
          });
        }
      }
    }
    all.sort((one, other) => (one._id < other._id ? -1 : 1));
    for (const filing of all) await given(filing);
    await given(filingOf(newId(), { recordOwner: newId() }));
  });

  const five = {
    status: 'filed',
    stateCode: 'TX',
    policyNumber: 'P-1',
    externalReference: 'R-TX',
    actionRequired: 'true',
  };

  it.each<Record<string, string>>([
    {},
    ...Object.entries(five).map(([name, value]) => ({ [name]: value })),
    { actionRequired: 'false' },
    { policyNumber: 'P' },
    { status: 'on hold', stateCode: 'CA' },
    { policyNumber: 'P-1', actionRequired: 'false' },
    five,
  ])('combine filters for carriers and agencies: %j', async (query) => {
    const [listed, page] = await Promise.all([
      ask(routes.listFilings, carrier(upstream), { query }),
      ask(routes.listAgencyFilings, agency(agencyId), { query }),
    ]);
    const isMatch = (filing: StoredFiling) =>
      Object.entries(query).every(([name, value]) =>
        name === 'actionRequired'
          ? (value === 'true') === (filing.policyNumber === 'P-1')
          : filing[name as keyof StoredFiling] === value,
      );
    const expected = all.filter(isMatch).map(({ _id }) => ({ _id }));
    expect(listed.data).toMatchObject(expected);
    expect(page.data).toMatchObject({
      items: expected,
      total: expected.length,
      page: 1,
      limit: 50,
      totalPages: Math.ceil(expected.length / 50),
    });
  });

  it('are paged for agencies, with every filing on one page', async () => {
    const pages = [];
    for (const page of ['1', '2', '3', '4']) {
      const { data } = await ask(routes.listAgencyFilings, agency(agencyId), {
        query: { page, limit: '3' },
      });
      expect(data).toMatchObject({ total: 8, limit: 3, totalPages: 3 });
      pages.push(data as unknown as { readonly items: readonly { readonly _id: string }[] });
    }
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 2, 0]);
    expect(pages.flatMap(({ items }) => items.map(({ _id }) => _id))).toEqual(all.map(({ _id }) => _id));
  });

  it('take one database call, or two in sequence with filters', async () => {
    const unfiltered = await databaseCalls(() => ask(routes.listFilings, carrier(upstream)));
    expect(unfiltered).toMatchObject({ calls: ['QueryCommand'], inSequence: 1 });
    const query = { status: 'filed', stateCode: 'TX', actionRequired: 'true' };
    for (const [route, caller] of [
      [routes.listFilings, carrier(upstream)],
      [routes.listAgencyFilings, agency(agencyId)],
    ] as const) {
      const filtered = await databaseCalls(() => ask(route, caller, { query }));
      expect(filtered).toMatchObject({
        calls: ['QueryCommand', 'QueryCommand', 'QueryCommand', 'BatchGetItemCommand'],
        inSequence: 2,
      });
    }
  });

  it('reject an actionRequired that is neither true nor false', async () => {
    const { status, json } = await ask(routes.listFilings, carrier(upstream), {
      query: { actionRequired: 'yes' },
    });
    expect(status).toBe(400);
    expect(json.details?.issues).toEqual([
      { path: 'actionRequired', message: expect.any(String), accepted: ['true', 'false'] },
    ]);
  });
});

describe('an agency’s filings', () => {
  it('can be narrowed to one of its entities, with other filters', async () => {
    const organizationId = newId();
    const [entity, other, foreign] = [entityOf(organizationId), entityOf(organizationId), entityOf(newId())];
    for (const one of [entity, other, foreign]) {
      const item = { ...downstreamEntityKeys.entity(one._id), ...one };
      await dynamo.send(new PutItemCommand({ TableName: tables.downstreamEntities, Item: toItem(item) }));
    }
    const filed = await Promise.all(
      (['TX', 'OK', 'TX'] as const).map((stateCode, index) =>
        given(
          filingOf(newId(), {
            stateCode,
            downstreamEntityId: index === 2 ? other._id : entity._id,
            recordOwner: organizationId,
          }),
        ),
      ),
    );
    const ids = async (query: Record<string, string>) => {
      const { status, data } = await ask(routes.listAgencyFilings, agency(organizationId), { query });
      expect(status).toBe(200);
      return z
        .parse(z.object({ items: z.array(z.object({ _id: z.string() })) }), data)
        .items.map(({ _id }) => _id);
    };
    const [inTexas, inOklahoma] = filed.map(({ _id }) => _id);
    expect(await ids({ downstreamEntityId: entity._id })).toEqual([inTexas, inOklahoma].sort());
    expect(await ids({ downstreamEntityId: entity._id, stateCode: 'OK' })).toEqual([inOklahoma]);
    for (const downstreamEntityId of [foreign._id, newId()]) {
      const { status, json } = await ask(routes.listAgencyFilings, agency(organizationId), {
        query: { downstreamEntityId },
      });
      expect(status).toBe(404);
      expect(json.errorType).toBe('not_found');
    }
  });
});

describe('import of filings', () => {
  it('accepts references to records in the same file, in any order', async () => {
    const agencyId = newId();
    const record = filing({ downstreamEntityId: agencyId });
    const lines = [
      record,
      namedAgency(agencyId, 'Lone Star Brokerage', { npn: '17654321', downstreamOrganizationId: downstream }),
      { type: 'carrier', name: 'Beacon Specialty', naicCode: '12345' },
    ];
    expect(await importLines(lines)).toMatchObject({ imported: 3, rejected: [] });
    const [up, down] = await Promise.all([
      store().find('upstream', upstream, record._id),
      store().find('downstream', downstream, record._id),
    ]);
    expect(up?.filing).toMatchObject({ version: 1, recordOwner: downstream });
    expect(down).toEqual(up);
    expect(await importLines(lines)).toMatchObject({ imported: 3, rejected: [] });
    expect(await store().find('upstream', upstream, record._id)).toEqual(up);
  });

  it('stores more messages than a transaction holds, once', async () => {
    const escalation = {
      status: 'waiting customer input',
      openedAt: '2026-03-01T00:00:00Z',
      messages: Array.from({ length: 100 }, (_, index) => question(index)),
    };
    const record = filing({
      checklist: [
        {
          sourceCategoryId: 'documents',
          name: 'Documents',
          items: [{ sourceTaskId: 'affidavit', label: 'Signed affidavit', escalation }],
        },
      ],
    });
    expect(await importLines([record])).toMatchObject({ imported: 1, rejected: [] });
    const found = await store().find('upstream', upstream, record._id);
    expect(found?.filing.messageCount).toBe(100);
    expect(found?.messages.map(({ body }) => body)).toEqual(
      Array.from({ length: 100 }, (_, index) => `Question ${index}`),
    );
    expect(await importLines([{ ...record, namedInsured: 'Acme Roofing Inc.' }])).toMatchObject({
      imported: 1,
    });
    const amended = await store().find('upstream', upstream, record._id);
    expect(amended?.filing.namedInsured).toBe('Acme Roofing Inc.');
    expect(amended?.messages).toEqual(found?.messages);
  });

  it('amends a filing without undoing later changes', async () => {
    const record = filing();
    await importLines([record]);
    await operator.setStatus(record._id, 'in progress');
    await operator.openEscalation({ filingId: record._id, ...affidavit }, 'Please sign.');
    await importLines([{ ...record, totalTaxDue: 485 }]);
    const found = await store().find('upstream', upstream, record._id);
    expect(found?.filing).toMatchObject({ status: 'in progress', totalTaxDue: 485 });
    expect(found?.filing.checklist[0]?.items[0]?.escalation?.status).toBe('waiting customer input');
    expect(found?.messages).toHaveLength(1);
  });

  it('names the rejected lines', async () => {
    const taken = await imported();
    const other = await newOrganization('upstreamEntity');
    const outcome = await importLines(
      [
        filing({ downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f9ff' }),
        filing({ _id: taken }),
        filing({ checklist: [{ sourceCategoryId: 'a', name: 'A', items: [{ sourceTaskId: 'b' }] }] }),
        filing({ status: 'finished' }),
        filing({ completionArtifacts: [{ type: 'receipt' }] }),
        { type: 'downstream-entity', legalName: 'No agency', downstreamOrganizationId: upstream },
        { type: 'carrier', name: 'No code' },
        filing({ upstreamEntityId: downstream }),
        filing(),
      ],
      other,
    );
    expect(outcome).toMatchObject({
      imported: 1,
      rejected: [
        { line: 1, issues: [{ path: 'downstreamEntityId' }] },
        { line: 2, issues: [{ path: '_id' }] },
        { line: 3, issues: [{ path: 'checklist[0].items[0].label' }] },
        { line: 4, issues: [{ path: 'status', accepted: expect.arrayContaining(['filed']) }] },
        { line: 5, issues: [{ path: 'completionArtifacts' }] },
        { line: 6, issues: [{ path: 'downstreamOrganizationId' }] },
        { line: 7, issues: [{ path: 'naicCode' }] },
        { line: 8, issues: [{ path: 'upstreamEntityId' }] },
      ],
    });
  });
});
