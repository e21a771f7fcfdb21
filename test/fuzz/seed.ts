import { createImportFunction } from '../../functions/import/function.ts';
import { agencyRecords, demoAssociations, demoContacts } from '../../infra/local/demo/agency.ts';
import { demoFiling } from '../../infra/local/demo/filings.ts';
import { policyRecords } from '../../infra/local/demo/policies.ts';
import { agencyProducerRecords, carrierProducerRecords } from '../../infra/local/demo/producers.ts';
import type { FunctionContext } from '../../shared/config/context.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { filingStatuses } from '../../shared/resources/filing.ts';
import { dynamo } from '../support/tables.ts';

type Tables = Parameters<typeof createImportFunction>[0]['tables'];

/** Imports the demo's records of a carrier and its agency. */
export async function seedRecords(
  owners: { readonly carrier: string; readonly agency: string },
  { tables, context }: { readonly tables: Tables; readonly context: FunctionContext },
): Promise<void> {
  const importRecords = createImportFunction({ clients: { dynamo }, tables, context });
  const importFor = async (organizationId: string, records: readonly object[]): Promise<void> => {
    const lines = records.map((record) => JSON.stringify(record));
    const answer = await importRecords({ organizationId, firstLine: 1, lines });
    if (!JSON.stringify(answer).includes('"rejected":[]'))
      throw new Error(`Rejected: ${JSON.stringify(answer)}`);
  };
  const now = context.now();
  const ids = { downstreamEntityId: newObjectId(now), downstreamEntityAssociationId: newObjectId(now) };
  const { downstreamEntityId } = ids;
  await importFor(owners.carrier, [
    ...policyRecords(newObjectId(now), owners.carrier),
    { type: 'carrier', name: 'Meridian Excess Lines Inc.', naicCode: '26883' },
    {
      type: 'downstream-entity',
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      npn: '17654321',
      downstreamOrganizationId: owners.agency,
    },
    ...filingStatuses.map((status) => demoFiling(status, { filingId: newObjectId(now), downstreamEntityId })),
    ...demoAssociations(ids),
    ...demoContacts(ids),
    ...carrierProducerRecords(ids.downstreamEntityAssociationId, now),
    {
      type: 'compliance-config',
      productId: newObjectId(now),
      productName: 'Contractors General Liability',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    },
  ]);
  await importFor(owners.agency, [
    ...agencyProducerRecords(downstreamEntityId, now),
    ...agencyRecords(downstreamEntityId, now),
  ]);
}
