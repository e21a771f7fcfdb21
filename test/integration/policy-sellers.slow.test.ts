import { storedSale } from '../../shared/domain/policies/keys.ts';
import { given, newOwner, tables } from '../support/carrier-records.ts';
import { carrierLines, gulf, loneMain, sold } from '../support/compliance-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { dynamo } from '../support/tables.ts';

it('resolves more sales again than one transaction takes', async () => {
  const owner = await newOwner();
  await given(owner, ...carrierLines);
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
