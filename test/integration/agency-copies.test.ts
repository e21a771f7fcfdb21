import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { add, agencyOrganization, context, itemOf, list } from '../support/associations-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults, withInterruption, withOtherWriter } from '../support/faults.ts';
import { recordsInto } from '../support/imports.ts';
import { dynamo } from '../support/tables.ts';

// What associations copy of their agencies, when an agency is imported while somebody writes an association with it.

let carrier: string;
let agencyId: string;

beforeEach(async () => {
  carrier = await context.carrier();
  agencyId = newObjectId(new Date());
});

/** Imports the agency with an NPN, for an organization or an operator. */
const importAgency = (npn: string, fields: object = {}, organizationId?: string) =>
  recordsInto(context.tables)(organizationId, [
    { type: 'downstream-entity', _id: agencyId, legalName: 'Agency', npn, ...fields },
  ]);

const addAgency = async (branchName = 'Main'): Promise<string> =>
  String((await add(carrier, { downstreamEntityId: agencyId, branchName })).data['_id']);

const ofNpn = (npn: string) => list(carrier, { downstreamEntityNpn: npn });

/** NPNs of the carrier for which a first poll of the registry is due. */
const firstPolls = async (): Promise<unknown[]> =>
  (await everyItem(dynamo, context.tables.registryRecords))
    .filter(({ sk }) => sk === `FIRST#${carrier}`)
    .map(({ npn }) => npn);

/** Whether a call reads associations by their agency. */
const readsAssociations = (command: string, input: object): boolean =>
  command === 'QueryCommand' && 'TableName' in input && input.TableName === context.tables.associations;

it('an agency that is added while an import gives it another NPN has the new one', async () => {
  await importAgency('12');
  let added = '';
  const outcome = await withInterruption(
    readsAssociations,
    async () => {
      added = await addAgency();
    },
    () => importAgency('15'),
  );
  expect(outcome).toMatchObject({ imported: 1, rejected: [] });
  expect(await ofNpn('15')).toEqual([added]);
  expect(await ofNpn('12')).toEqual([]);
  expect(await firstPolls()).toContain('15');
});

it('an agency whose import comes while it is added has the new NPN, even if the import leaves its time as it was', async () => {
  const updatedAt = '2026-01-01T00:00:00.000Z';
  await importAgency('12', { updatedAt });
  let added = '';
  await withOtherWriter(
    () => importAgency('15', { updatedAt }),
    async () => {
      added = await addAgency();
    },
  );
  expect(await ofNpn('15')).toEqual([added]);
  expect(await ofNpn('12')).toEqual([]);
});

it.each(['12', '15'])(
  'an import of NPN %s repairs what one that broke off left, whichever values it brings',
  async (npn) => {
    await importAgency('12');
    const added = await addAgency();
    let transactions = 0;
    const broken = withFaults(
      (command) => {
        if (command !== 'TransactWriteItemsCommand') return 'none';
        transactions += 1;
        // The first one writes the agency, the next one is to update the association.
        return transactions === 1 ? 'none' : 'before';
      },
      () => importAgency('15'),
    );
    await expect(broken).rejects.toThrow('broke off');
    expect(await ofNpn('12')).toEqual([added]);
    await importAgency(npn);
    expect(await ofNpn('12')).toEqual(npn === '12' ? [added] : []);
    expect(await ofNpn('15')).toEqual(npn === '15' ? [added] : []);
  },
);

it('an import that is refused, since the agency got an organization meanwhile, changes no copy', async () => {
  await importAgency('12');
  const added = await addAgency();
  const downstreamOrganizationId = await agencyOrganization();
  const outcome = await withInterruption(
    // Whether others know the agency.
    (command, input) =>
      command === 'BatchGetItemCommand' && JSON.stringify(input).includes(context.tables.associations),
    () => importAgency('12', { downstreamOrganizationId }),
    () => importAgency('15', {}, carrier),
  );
  expect(outcome).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
  expect(await ofNpn('12')).toEqual([added]);
  expect(await firstPolls()).toEqual(['12']);
});

it('an association that cannot appear again with its agency is named, and stops no other', async () => {
  await importAgency('12');
  const [hidden, others] = await Promise.all([
    add(carrier, { downstreamEntityId: agencyId, externalId: 'A-1' }),
    Promise.all(['North', 'South'].map(addAgency)),
  ]);
  expect(hidden.status).toBe(201);
  await importAgency('12', { isDeleted: true });
  expect(await ofNpn('12')).toEqual([]);
  const another = newObjectId(new Date());
  await recordsInto(context.tables)(undefined, [
    { type: 'downstream-entity', _id: another, legalName: 'Another', npn: '13' },
  ]);
  expect((await add(carrier, { downstreamEntityId: another, externalId: 'A-1' })).status).toBe(201);
  expect(await importAgency('12')).toMatchObject({ imported: 0, rejected: [{ line: 1 }] });
  expect([...(await ofNpn('12'))].sort()).toEqual([...others].sort());
});

it('of two imports at once, the copies follow the one whose agency stands', async () => {
  await importAgency('12');
  const added = await addAgency();
  await withInterruption(
    // After the agency is written.
    readsAssociations,
    () => importAgency('16'),
    () => importAgency('15'),
  );
  expect(await ofNpn('16')).toEqual([added]);
  expect(await ofNpn('15')).toEqual([]);
});

it('an association with another agency is found by that one alone', async () => {
  await importAgency('12');
  const _id = newObjectId(new Date());
  const importAssociation = (downstreamEntityId: string) =>
    recordsInto(context.tables)(carrier, [{ type: 'association', _id, downstreamEntityId }]);
  await importAssociation(agencyId);
  const former = agencyId;
  agencyId = newObjectId(new Date());
  await importAgency('13');
  await importAssociation(agencyId);
  expect(await itemOf({ pk: `ENTITY_ID#${former}`, sk: `ASSOCIATION#${_id}` })).toBeUndefined();
  await importAgency('14');
  expect(await ofNpn('14')).toEqual([_id]);
});
