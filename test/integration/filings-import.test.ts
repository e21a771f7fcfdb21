import { newId } from '../support/filings.ts';
import {
  affidavit,
  downstream,
  filing,
  imported,
  importLines,
  newOrganization,
  operator,
  question,
  store,
  upstream,
} from '../support/filings-tests.ts';

describe('import of filings', () => {
  it('accepts references to records in the same file, in any order', async () => {
    const agencyId = newId();
    const record = filing({ downstreamEntityId: agencyId });
    const lines = [
      record,
      {
        type: 'downstream-entity',
        _id: agencyId,
        legalName: 'Lone Star Brokerage',
        npn: '17654321',
        downstreamOrganizationId: downstream,
      },
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

  it('hides a soft-deleted filing', async () => {
    const record = filing();
    await importLines([record]);
    await importLines([{ ...record, isDeleted: true }]);
    expect(await store().find('upstream', upstream, record._id)).toBeUndefined();
    await expect(operator.setStatus(record._id, 'in progress')).rejects.toMatchObject({
      errorType: 'not_found',
    });
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
