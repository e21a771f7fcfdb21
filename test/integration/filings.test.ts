import type { Route } from '../../shared/platform/contract/route.ts';
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
import { agency, ask, carrier, given, routes, store, waiting } from '../support/filings-tests.ts';
import { databaseCalls } from '../support/tables.ts';

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
      expect(data.escalations[0]).toEqual(data.checklist[1]?.items[0]?.escalation);
    }
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
    expect(v1.data).toEqual(
      JSON.parse(JSON.stringify(v2.data, (key, value) => (key === 'fileDocumentId' ? undefined : value))),
    );
  });

  it('takes one database call, and an agency’s organization another at the same time, even with 200 items and 100 messages', async () => {
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
      [routes.getFilingV1, carrier(upstream)],
      [routes.getAgencyFiling, agency(agencyId)],
    ] as const;
    for (const [route, caller] of reads) {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const { calls, inSequence } = await databaseCalls(async () => {
        answer = await ask(route, caller, { filingId: filing._id });
      });
      const moves = caller.category === 'downstreamEntity' ? ['GetItemCommand'] : [];
      expect({ calls, inSequence }).toMatchObject({ calls: [...moves, 'QueryCommand'], inSequence: 1 });
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

  it('cannot be created with an ID that another owner’s filing has', async () => {
    const filing = await given(filingOf(newId()));
    await expect(
      store().save(undefined, { filing: { ...filing, upstreamEntityId: newId() } }, []),
    ).rejects.toMatchObject({ reason: 'state_conflict' });
  });
});
