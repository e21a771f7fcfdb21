import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { agentKeys } from '#domain/agents/stored.ts';
import { associationKeys } from '#domain/associations/stored.ts';
import { filingKeys } from '#domain/filings/keys.ts';
import { policyKeys } from '#domain/policies/keys.ts';
import { tableDesigns, tables } from '#domain/tables.ts';
import { restoredKey } from '#platform/changes/restored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { TableDesign } from '#platform/data/table-design.ts';
import { importRecords } from '../support/local-api.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { filingRecord } from './filings.ts';
import type { Carrier } from './organizations.ts';

/** Functions whose lists can be followed. */
const readers = [
  'agents',
  'compliance',
  'downstream-entity-associations',
  'policies',
  'surplus-lines-filings',
] as const;

const followed: readonly TableDesign[] = tableDesigns.filter(
  ({ indexes }: TableDesign) => indexes?.['by-change'] !== undefined,
);

/**
 * Gives a carrier an agent, an association, a policy, and a filing that a restore will take away, and answers that restore. The tables stay
 * those that they are: they lose what a restore to an earlier time loses and are marked as `npm run restore` marks them, and
 * the functions that read them begin anew, as those do that get new tables.
 */
export async function losable(
  { organizationId, brokerageId }: Carrier,
  crash: (functionName: string) => Promise<void>,
): Promise<() => Promise<void>> {
  const _id = newObjectId(new Date());
  await importRecords(
    organizationId,
    { type: 'agent', _id, npn: '9999999999', firstName: 'Ana', lastName: 'Lost' },
    { type: 'association', _id, downstreamEntityId: brokerageId, externalId: 'lost', branchName: 'Lost' },
    { type: 'policy', _id, policyNumber: 'lost', riskStateCode: 'TX' },
    filingRecord({ _id, policyNumber: 'lost' }),
  );
  return async () => {
    const database = runDatabase();
    const lost = [
      { table: tables.agents, key: agentKeys.agent(organizationId, _id) },
      { table: tables.associations, key: associationKeys.association(organizationId, _id) },
      { table: tables.policies, key: policyKeys.policy(organizationId, _id) },
      { table: tables.filings, key: filingKeys.filing(organizationId, _id) },
      { table: tables.filings, key: filingKeys.listEntry(organizationId, _id) },
    ];
    for (const { table, key } of lost) {
      const TableName = await physicalName(database, table.name);
      await database.send(new DeleteItemCommand({ TableName, Key: toItem(key) }));
    }
    const restoredTo = new Date().toISOString();
    for (const design of followed) {
      const TableName = await physicalName(database, design.name);
      await database.send(
        new PutItemCommand({ TableName, Item: toItem({ ...restoredKey(design), restoredTo }) }),
      );
    }
    database.destroy();
    for (const reader of readers) await crash(reader);
  };
}
