import { subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { compare } from '#platform/data/keys.ts';
import { idsOf, list, registryRecords, store } from '../support/agents-tests.ts';
import { clock, given, id, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { holdersIn } from '../support/holders.ts';
import { agent, association, license } from '../support/import-lines.ts';
import { databaseCalls } from '../support/tables.ts';

const later = (): void => {
  clock.time = new Date(clock.time.getTime() + 60_000);
};

/** The actions, appointments, and licenses of an owner's NPN that lists have. */
const held = async (owner: string, npn = '8123456') =>
  Array.from(await holdersIn(tables.registryRecords).shownOf(owner, npn))
    .sort(([one], [other]) => compare(one, other))
    .map(([, row]) => row);

describe('import of agents', () => {
  it('creates one subscription per NPN and records whose NPN it is', async () => {
    const owner = await newOwner();
    await importLines(owner, [license(), license({ stateCode: 'OK' })]);
    const before = await registryRecords().subscriptionsOf(owner, ['8123456']);
    expect(before.get('8123456')).toMatchObject({
      _id: subscriptionIdOf(owner, '8123456'),
      dataOwnerId: owner,
      dataOwnerModel: 'upstreamEntity',
      entityModel: null,
      entityInfo: { status: 'not started' },
    });
    expect(await importLines(owner, [agent(), agent({ npn: '2' })])).toMatchObject({
      imported: 2,
      rejected: [],
    });
    const items = await list(owner);
    expect(items.map(({ registryDataSubscription }) => registryDataSubscription)).toEqual(
      items.map(({ agent: { npn } }) =>
        expect.objectContaining({ _id: subscriptionIdOf(owner, npn), npn, entityModel: 'agent' }),
      ),
    );
  });

  it('changes nothing when the same lines are imported again, but for when licenses, appointments, and actions were said again', async () => {
    const owner = await newOwner();
    const lines = [
      association(id(7)),
      agent({ _id: id(1), email: 'A@example.com', downstreamEntityAssociationIds: [id(7)] }),
      agent({ npn: '2', labeledEmails: [{ label: 'work', email: 'b@example.com' }] }),
      license(),
      { type: 'appointment', status: 'active', npn: '2', stateCode: 'TX', companyCode: '19437' },
      { type: 'regulatory-action', npn: '2', stateCode: 'TX', actionId: '1' },
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
    ];
    expect(await importLines(owner, lines)).toMatchObject({ imported: 7, rejected: [] });
    const before = await list(owner);
    later();
    const { calls } = await databaseCalls(() => importLines(owner, lines));
    expect(calls.filter((call) => /Put|Update|Write/.test(call))).toEqual(
      Array.from({ length: 3 }, () => 'TransactWriteItemsCommand'),
    );
    expect(await list(owner)).toEqual(before);
  });

  it('keeps what a line leaves out, and gives up what it says is null', async () => {
    const owner = await newOwner();
    const authority = [{ upstreamEntityProductId: id(9), approvedStates: ['OK'], requestedStates: [] }];
    const said = { _id: id(71), isArchived: true, authority, externalId: 'x', email: 'a@example.com' };
    await given(owner, association(id(77)), agent({ ...said, downstreamEntityAssociationIds: [id(77)] }));
    await given(owner, agent({ _id: id(71), email: null, lastName: 'Vega' }));
    expect(await list(owner)).toMatchObject([{ agent: { ...said, email: null, lastName: 'Vega' } }]);
    await given(owner, agent({ _id: id(71), isDeleted: true }), agent({ _id: id(71) }));
    expect(await list(owner)).toMatchObject([{ agent: { isArchived: true, authority } }]);
    expect(await list(owner, { downstreamEntityAssociationId: id(77) })).toEqual([]);
  });

  it('finds a changed agent by its new values and no longer by its old ones', async () => {
    const owner = await newOwner();
    await importLines(
      owner,
      [1, 2, 3].map((one) => association(id(one))),
    );
    await importLines(owner, [
      agent({ email: 'old@example.com', downstreamEntityAssociationIds: [id(1), id(2)] }),
    ]);
    const [before] = await list(owner);
    await importLines(owner, [
      agent({ email: 'new@example.com', lastName: 'Reyes', downstreamEntityAssociationIds: [id(2), id(3)] }),
    ]);
    expect(await list(owner, { email: 'old@example.com' })).toEqual([]);
    expect(await list(owner, { downstreamEntityAssociationId: id(1) })).toEqual([]);
    for (const filters of [
      { email: 'NEW@Example.com' },
      { downstreamEntityAssociationId: id(2) },
      { downstreamEntityAssociationId: id(3) },
      { npn: '8123456' },
    ]) {
      expect(await list(owner, filters)).toMatchObject([
        { agent: { _id: before?.agent._id, lastName: 'Reyes', createdAt: before?.agent.createdAt } },
      ]);
    }
  });

  it('gives an NPN to one live agent, even in concurrent imports', async () => {
    const owner = await newOwner();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => importLines(owner, [agent({ _id: id(index + 1) })])),
    );
    const rejected = outcomes.flatMap((outcome) => outcome.rejected);
    expect(outcomes.filter(({ imported }) => imported === 1)).toHaveLength(1);
    expect(rejected.map(({ issues }) => issues)).toEqual(
      Array.from({ length: 7 }, () => [
        { path: 'npn', message: expect.stringMatching(/^is the NPN of the agent [0-9a-f]{24}$/) },
      ]),
    );
    expect(await list(owner)).toHaveLength(1);
  });

  it('lets another agent use an NPN that was given up', async () => {
    const owner = await newOwner();
    await importLines(owner, [agent({ _id: id(1) })]);
    await importLines(owner, [agent({ _id: id(1), npn: '2' })]);
    expect(await importLines(owner, [agent({ _id: id(2) })])).toMatchObject({ imported: 1, rejected: [] });
    await importLines(owner, [agent({ _id: id(2), isDeleted: true })]);
    expect(await importLines(owner, [agent({ _id: id(3) })])).toMatchObject({ imported: 1, rejected: [] });
    expect(idsOf(await list(owner))).toEqual([id(1), id(3)]);
    expect(idsOf(await list(owner, { npn: '2' }))).toEqual([id(1)]);
  });

  it('loses no change in concurrent imports of one agent', async () => {
    const owner = await newOwner();
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        importLines(owner, [agent({ email: `m${index}@example.com`, externalId: `m${index}` })]),
      ),
    );
    const [only, ...others] = await list(owner);
    expect(others).toEqual([]);
    const found = await Promise.all(
      Array.from({ length: 6 }, (_, index) => list(owner, { email: `m${index}@example.com` })),
    );
    expect(found.flat()).toEqual([only]);
    expect(only?.email).toBe(`${only?.externalId}@example.com`);
  });

  it('hides soft-deleted records from every read, and shows them again once restored', async () => {
    const owner = await newOwner();
    const record = agent({
      _id: id(1),
      email: 'a@example.com',
      downstreamEntityAssociationIds: [id(5)],
    });
    const finds = async () => [
      ...(await list(owner)),
      ...(await list(owner, { email: 'a@example.com' })),
      ...(await list(owner, { npn: '8123456' })),
      ...(await list(owner, { downstreamEntityAssociationId: id(5) })),
      ...(await list(owner, { stateCode: 'TX', licenseNumber: '100' })),
    ];
    await importLines(owner, [association(id(5)), record, license()]);
    expect(await finds()).toHaveLength(5);
    await importLines(owner, [{ ...record, isDeleted: true }]);
    expect(await finds()).toEqual([]);
    expect(await store().find(owner, id(1))).toBeUndefined();
    expect(await importLines(owner, [agent({ npn: '77', isDeleted: true })])).toMatchObject({ imported: 1 });
    expect(await list(owner, { npn: '77' })).toEqual([]);
    await importLines(owner, [record]);
    expect(await finds()).toHaveLength(5);
  });

  it('rejects an agent at an association that the organization does not have', async () => {
    const [owner, other, agency] = await Promise.all([newOwner(), newOwner(), newOwner('downstreamEntity')]);
    await importLines(owner, [association(id(201)), association(id(202))]);
    await importLines(other, [association(id(203))]);
    const at = (npn: string, ...ids: string[]) => agent({ npn, downstreamEntityAssociationIds: ids });
    const unknown = (index: number) => ({
      path: `downstreamEntityAssociationIds[${index}]`,
      message: 'is not an association of the organization',
    });
    const outcome = await importLines(owner, [
      at('1', id(201)),
      at('2', id(202), id(203), id(201), id(204)),
      at('3'),
    ]);
    expect(outcome).toMatchObject({
      imported: 2,
      rejected: [{ line: 2, issues: [unknown(1), unknown(3)] }],
    });
    expect(await list(owner, { downstreamEntityAssociationId: id(203) })).toEqual([]);
    expect(await importLines(agency, [at('1', id(201))])).toMatchObject({
      rejected: [{ issues: [unknown(0)] }],
    });
    await importLines(owner, [association(id(202), { isDeleted: true })]);
    expect(await importLines(owner, [at('2', id(202))])).toMatchObject({
      rejected: [{ issues: [unknown(0)] }],
    });
    // Who is taken off the list may have worked for an agency that is gone.
    await importLines(owner, [at('1', id(201))]);
    await importLines(owner, [association(id(201), { isDeleted: true })]);
    const gone = { ...at('1', id(201)), isDeleted: true };
    expect(await importLines(owner, [gone])).toMatchObject({ imported: 1, rejected: [] });
    // Associations of the same chunk are imported first.
    const both = [at('5', id(205)), association(id(205))];
    expect(await importLines(owner, both)).toMatchObject({ imported: 2, rejected: [] });
  });

  it('accepts agents and registry records for agencies, and compliance configs for carriers only', async () => {
    const [upstream, downstream] = await Promise.all([newOwner(), newOwner('downstreamEntity')]);
    const entity = { type: 'downstream-entity', downstreamOrganizationId: downstream };
    await importLines(downstream, [{ ...entity, _id: id(1), legalName: 'Own' }]);
    await importLines(upstream, [{ type: 'downstream-entity', _id: id(2), legalName: 'Other' }]);
    const outcome = await importLines(downstream, [
      agent({ downstreamEntityIds: [id(1)] }),
      agent({ npn: '2', downstreamEntityIds: [id(1), id(2)] }),
      license(),
      { type: 'compliance-config', productId: id(9), productName: 'GL', states: [] },
      license({ upstreamEntityId: upstream, npn: '3' }),
      license({ upstreamEntityId: downstream, npn: '4' }),
    ]);
    expect(outcome.rejected).toMatchObject([
      { line: 2, issues: [{ path: 'downstreamEntityIds[1]' }] },
      { line: 3, issues: [{ path: 'organizationId' }] },
      { line: 4, issues: [{ path: 'organizationId' }] },
      { line: 5, issues: [{ path: 'upstreamEntityId' }] },
      { line: 6, issues: [{ path: 'organizationId' }] },
    ]);
    expect(await importLines(downstream, [license()])).toMatchObject({ imported: 1, rejected: [] });
    const subscriptions = await registryRecords().subscriptionsOf(downstream, ['8123456']);
    expect(subscriptions.get('8123456')).toMatchObject({
      dataOwnerId: downstream,
      dataOwnerModel: 'downstreamEntity',
      entityModel: 'agent',
    });
    expect(await held(upstream, '3')).toEqual([]);
    expect(await list(downstream)).toMatchObject([{ isUploadedByUpstreamEntity: false }]);
  });
});

describe('import of registry records', () => {
  it('stores one record for each license, appointment, and action, and hides deleted ones', async () => {
    const owner = await newOwner();
    const action = { type: 'regulatory-action', npn: '8123456', stateCode: 'TX', actionId: '4471' };
    const appointment = {
      type: 'appointment',
      status: 'active',
      npn: '8123456',
      stateCode: 'TX',
      companyCode: '19437',
    };
    await importLines(owner, [
      license({ linesOfAuthority: [{ code: '16' }], nextRenewalDate: '2027-03-31' }),
      license({ licenseNumber: '200', stateCode: 'OK', isDeleted: true }),
      { ...appointment, terminationReason: 'Request' },
      { ...action, disposition: 'Fine' },
    ]);
    expect(await held(owner)).toMatchObject([
      { actionId: '4471', disposition: 'Fine', createdAt: now().toISOString() },
      { companyCode: '19437', terminationReason: 'Request' },
      {
        registryDataSubscriptionId: subscriptionIdOf(owner, '8123456'),
        status: 'active',
        residencyStatus: 'resident',
        linesOfAuthority: [{ code: '16', name: '16', status: 'active' }],
      },
    ]);
    later();
    await importLines(owner, [
      { ...action, isDeleted: true },
      { ...appointment, isDeleted: true },
      license({ isDeleted: true }),
    ]);
    expect(await held(owner)).toEqual([]);
    expect(await registryRecords().npnsOfLicense(owner, 'TX', '100')).toEqual([]);
  });

  it('names each state that a config lists twice', async () => {
    const state = { stateCode: 'TX', linesOfAuthority: [], appointment: 'required' };
    const config = { type: 'compliance-config', productId: id(1), productName: 'GL' };
    const outcome = await importLines(await newOwner(), [
      { ...config, states: [state, { stateCode: 'OK' }, state] },
    ]);
    expect(outcome).toMatchObject({ rejected: [{ line: 1, issues: [{ path: 'states[2].stateCode' }] }] });
  });
});
