import { upToDate } from '../../shared/domain/registry-reconciliation/store.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { routes } from '../support/followed-lists.ts';
import { agency, agent, associationWith } from '../support/import-lines.ts';
import { dynamo } from '../support/tables.ts';
import {
  at,
  carrier,
  functions,
  given,
  id,
  minute,
  npn,
  other,
  pass,
  records,
  since,
  tables,
  time,
} from '../support/updated-since-tests.ts';

describe('what is shown with a record is a part of it', () => {
  it('a change of an agency is a change of each association with it, and of no other', async () => {
    const [entity, mine, theirs] = [id(), id(), id()];
    await given(undefined, agency(entity));
    await given(carrier, associationWith(mine, entity));
    await given(other, associationWith(theirs, entity));
    const elsewhere = await records.associations();
    pass(minute);
    await given(undefined, agency(entity, { legalName: 'Panhandle Brokerage' }));
    expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
      { _id: mine, downstreamEntity: { legalName: 'Panhandle Brokerage' } },
    ]);
    expect(await since(other, routes.listAssociations, time)).toMatchObject([{ _id: theirs }]);
    expect(elsewhere._id).not.toBe(mine);
  });

  it('an agency that is deleted takes its associations along, and brings them back', async () => {
    const [entity, mine] = [id(), id()];
    await given(undefined, agency(entity));
    await given(carrier, associationWith(mine, entity));
    pass(minute);
    await given(undefined, agency(entity, { isDeleted: true }));
    expect(await since(carrier, routes.listAssociations, time)).toEqual([
      { _id: mine, isDeleted: true, updatedAt: at(time) },
    ]);
    pass(minute);
    await given(undefined, agency(entity));
    expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
      { _id: mine, status: 'active' },
    ]);
  });

  it('a change of a subscription is a change of the agents and associations that show it', async () => {
    const [entity, mine, number] = [id(), id(), npn()];
    await given(undefined, agency(entity, { npn: number, isNpnRequired: true }));
    await given(carrier, associationWith(mine, entity));
    const agentId = id();
    await given(carrier, agent({ _id: agentId, npn: number }), agent({ npn: npn() }));
    pass(minute);
    const subscriptions = await createRegistryRecords(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords),
    ).subscriptionsOf(carrier, [number]);
    const subscription = subscriptions.get(number);
    if (subscription === undefined) throw new Error('There is no subscription.');
    await tableOf(registryRecordsTable, dynamo, tables.registryRecords).update(
      registryKeys.subscription(carrier, subscription._id),
      upToDate(subscription, true, new Date(time)),
    );
    const shown = { registryDataSubscription: { lastSynchronizationDate: at(time) } };
    expect(await since(carrier, routes.listAgents, time)).toMatchObject([
      { agent: { _id: agentId }, ...shown },
    ]);
    expect(await since(carrier, routes.listAssociations, time)).toMatchObject([{ _id: mine, ...shown }]);
  });

  it('so is a synchronization that is requested', async () => {
    const [entity, mine] = [id(), id()];
    await given(undefined, agency(entity, { npn: npn(), isNpnRequired: true }));
    await given(carrier, associationWith(mine, entity));
    pass(minute);
    const params = { downstreamEntityAssociationId: mine };
    expect((await functions.ask(carrier, routes.syncAssociation, { params })).status).toBe(202);
    expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
      { _id: mine, registryDataSubscription: { entityInfo: { status: 'queued' } } },
    ]);
  });
});

it('a change by PATCH is one too', async () => {
  const { _id } = await records.associations();
  pass(minute);
  const params = { downstreamEntityAssociationId: _id };
  await functions.ask(carrier, routes.updateAssociation, { params, body: { producerCode: `C-${_id}` } });
  expect(await since(carrier, routes.listAssociations, time)).toMatchObject([
    { _id, producerCode: `C-${_id}`, updatedAt: at(time) },
  ]);
});
