// More records than one read, transaction, or answer takes.

import { storedSale } from '#domain/policies/stored.ts';
import type { BookRow } from '#domain/policy-compliance/resource.ts';
import { writesOf } from '#platform/data/table.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { rematch } from '../../infra/admin/program.ts';
import { list } from '../support/agents-tests.ts';
import { ask, given, id, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  gulf,
  loneMain,
  maria,
  policyItem,
  routes as policyRoutes,
  sold,
} from '../support/compliance-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { agent, association, transaction } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import * as matched from '../support/matched-carrier.ts';
import { store } from '../support/policies-tests.ts';
import { answersOf, config, newCarrier, question, routes } from '../support/sale-checks-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

it('answers of more than 4 MB are 413, and then no receipt is stored', async () => {
  const linesOfAuthority = Array.from({ length: 10 }, (_, index) => ({
    anyOf: Array.from({ length: 10 }, (_, other) => `${index}${other}`.padEnd(50, '線')),
  }));
  const owner = await newCarrier(
    config({ states: [{ stateCode: 'TX', linesOfAuthority, appointment: 'required' }] }),
  );
  const checks = Array.from({ length: 100 }, () => question());
  for (const receipt of [false, true]) {
    const refused = await ask(owner, routes.checkSales, { body: { checks, receipt } });
    expect(refused).toMatchObject({ status: 413, details: { instead: expect.any(String) } });
  }
  expect(
    (await everyItem(dynamo, tables.saleReceipts)).filter(({ pk }) => String(pk).startsWith(owner)),
  ).toEqual([]);
  expect((await answersOf(owner, checks.slice(0, 20))).checks).toHaveLength(20);
});

it('an import of agents rejects more addresses, associations, and entities than one transaction can change', async () => {
  const owner = await newOwner();
  const associations = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => id(from + index));
  await importLines(
    owner,
    [...associations(1_000, 43), ...associations(1_100, 42)].map((one) => association(one)),
  );
  const full = agent({ downstreamEntityAssociationIds: associations(1_000, 42) });
  expect(await importLines(owner, [full])).toMatchObject({ imported: 1 });
  const exchanged = agent({ npn: '8123456', downstreamEntityAssociationIds: associations(1_100, 42) });
  expect(await importLines(owner, [exchanged])).toMatchObject({ imported: 1 });
  expect(await list(owner, { downstreamEntityAssociationId: id(1_041) })).toEqual([]);
  expect(await list(owner, { downstreamEntityAssociationId: id(1_141) })).toHaveLength(1);
  expect(
    await importLines(owner, [agent({ npn: '3', downstreamEntityAssociationIds: associations(1_000, 43) })]),
  ).toMatchObject({ rejected: [{ line: 1, issues: [{ path: '' }] }] });
});

describe('policies', () => {
  let owner: string;

  beforeAll(async () => {
    owner = await newOwner();
    await given(owner, ...carrierLines);
  });

  it('a book reads who sold a long list once, sends its first page at once, and every policy', async () => {
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
    const { queries, readKeys } = await databaseCalls(async () => {
      const answer = await ask(owner, policyRoutes.listPolicyComplianceStatuses);
      parts = answer.parts;
      rows = answer.data as BookRow[];
    });
    expect(rows.map(({ policyId }) => policyId).sort()).toEqual(items.map(({ _id }) => _id).sort());
    expect(parts.length).toBeGreaterThan(2);
    const ofHolders = readKeys.filter(({ table }) => table === tables.registryRecords);
    expect(new Set(ofHolders.map(({ pk }) => pk)).size).toBe(3);
    expect(new Set(ofHolders.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(ofHolders.length);
    expect(queries.filter(({ table }) => table === tables.policies).length).toBeLessThanOrEqual(5);
  });

  it('have more sales resolved again than one transaction takes', async () => {
    const transactions = (...all: readonly object[]) =>
      given(owner, ...all.map((fields) => sold('P-1', fields)));
    const months = Array.from({ length: 120 }, (_, month) => ({
      policyTransactionType: 'Renewal',
      policyTransactionDate: new Date(Date.UTC(2027, month, 1)).toISOString(),
      effectiveDate: '2027-03-01',
      uniqueTransactionId: `R-${month}`,
    }));
    const first = {
      upstreamDownstreamAssociationId: gulf,
      agentNpn: '9034417',
      uniqueTransactionId: 'N',
    };
    await transactions(first, ...months);
    await transactions({ ...first, upstreamDownstreamAssociationId: loneMain, agentNpn: '8123456' });
    const items = (await everyItem(dynamo, tables.policies)).filter(({ saleKey }) => saleKey === owner);
    expect(items).toHaveLength(121);
    const agencies = items.map(({ sale }) => storedSale.parse(sale).agencySort.split('#')[1]);
    expect(new Set(agencies)).toEqual(new Set([loneMain]));
  });
});

it('a rematch takes several calls for many transactions, and looks at each once', async () => {
  const owner = await newOwner();
  const [entity, relation] = [matched.id(), matched.id()];
  const lines = Array.from({ length: 300 }, (_, index) =>
    transaction(`M-${index % 75}`, { uniqueTransactionId: `t${index}`, agencyNpn: '17' }),
  );
  await importLines(owner, lines);
  await importLines(owner, [
    matched.agency(entity, 'Lone Star', '17', null),
    matched.association(relation, entity),
  ]);
  let calls = 0;
  const counting: Invoke = async (_name, payload) => {
    calls += 1;
    return resultOf(JSON.parse(JSON.stringify(await importFunctionOf(tables, now)(payload))));
  };
  expect(await rematch(counting, { organizationId: owner })).toEqual({
    matched: 300,
    review: 0,
    unmatched: 0,
  });
  expect(calls).toBeGreaterThan(1);
  for await (const page of store().list(owner, { entityMatchStatus: 'unmatched' })) expect(page).toEqual([]);
});
