import type { BookRow } from '../../shared/domain/policy-compliance/resource.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { ask, given, newOwner, tables } from '../support/carrier-records.ts';
import { carrierLines, gulf, loneMain, maria, policyItem, routes } from '../support/compliance-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

it('a policy book reads who sold a long list once, sends its first page at once, and every policy', async () => {
  const owner = await newOwner();
  await given(owner, ...carrierLines);
  const agencies = [{ associationId: loneMain }, { associationId: gulf }, { isUnknown: true }] as const;
  const items = Array.from({ length: 1_800 }, (_, index) =>
    policyItem(owner, index, agencies[index % 3] ?? { isUnknown: true }, {
      sellers: { agentIds: [maria], isUnknown: false },
      ...(index % 3 === 2 ? { entityMatchStatus: 'unmatched' } : {}),
    }),
  );
  await writesOf(dynamo, tables.policies).putAll(items);
  let parts: readonly string[] = [];
  let rows: BookRow[] = [];
  const { queries } = await databaseCalls(async () => {
    const answer = await ask(owner, routes.listPolicyComplianceStatuses);
    parts = answer.parts;
    rows = answer.data as BookRow[];
  });
  expect(rows.map(({ policyId }) => policyId).sort()).toEqual(items.map(({ _id }) => _id).sort());
  expect(parts.length).toBeGreaterThan(3);
  const ofHolders = queries.filter(({ table }) => table === tables.registryRecords);
  expect(ofHolders).toHaveLength(3);
  expect(queries.filter(({ table }) => table === tables.policies).length).toBeLessThanOrEqual(5);
});
