import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { add, context, itemOf, list } from '../support/associations-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults, withInterruption, withOtherWriter } from '../support/faults.ts';
import { importInto } from '../support/imports.ts';
import { dynamo } from '../support/tables.ts';

// What associations copy of their agencies, when an agency is imported while somebody writes an association with it.

let carrier: string;
let agencyId: string;

beforeEach(async () => {
  carrier = await context.carrier();
  agencyId = newObjectId(new Date());
});

/** Imports the agency with an NPN. */
const importAgency = (npn: string, fields: object = {}) =>
  importInto(context.tables)({
    firstLine: 1,
    lines: [
      JSON.stringify({ type: 'downstream-entity', _id: agencyId, legalName: 'Agency', npn, ...fields }),
    ],
  });

const addAgency = async (branchName = 'Main'): Promise<string> =>
  String((await add(carrier, { downstreamEntityId: agencyId, branchName })).data['_id']);

const ofNpn = (npn: string) => list(carrier, { downstreamEntityNpn: npn });

/** NPNs of the carrier for which a first visit of the registry is due. */
const firstVisits = async (): Promise<unknown[]> =>
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
  expect(await firstVisits()).toContain('15');
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

it('another import repairs what one that broke off left, whichever values it brings', async () => {
  await importAgency('12');
  const added = await addAgency();
  let transactions = 0;
  const broken = withFaults(
    (command) => {
      if (command !== 'TransactWriteItemsCommand') return 'none';
      transactions += 1;
      // The first one updates the association, the next one is to write the agency.
      return transactions === 1 ? 'none' : 'before';
    },
    () => importAgency('15'),
  );
  await expect(broken).rejects.toThrow('broke off');
  expect(await ofNpn('15')).toEqual([added]);
  await importAgency('12');
  expect(await ofNpn('12')).toEqual([added]);
  expect(await ofNpn('15')).toEqual([]);
});

it('of two imports at once, the copies follow the one whose agency stands', async () => {
  await importAgency('12');
  const added = await addAgency();
  let reads = 0;
  await withInterruption(
    (command, input) => {
      if (!readsAssociations(command, input)) return false;
      reads += 1;
      // The one after the agency is written.
      return reads === 2;
    },
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
    importInto(context.tables)({
      organizationId: carrier,
      firstLine: 1,
      lines: [JSON.stringify({ type: 'association', _id, downstreamEntityId })],
    });
  await importAssociation(agencyId);
  const former = agencyId;
  agencyId = newObjectId(new Date());
  await importAgency('13');
  await importAssociation(agencyId);
  expect(await itemOf({ pk: `ENTITY_ID#${former}`, sk: `ASSOCIATION#${_id}` })).toBeUndefined();
  await importAgency('14');
  expect(await ofNpn('14')).toEqual([_id]);
});
