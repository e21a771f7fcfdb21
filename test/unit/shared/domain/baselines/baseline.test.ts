import { heldByReceivers, statusesAt } from '../../../../../shared/domain/baselines/baseline.ts';
import { changedProducts } from '../../../../../shared/domain/compliance-changes/changed-products.ts';
import { rulesNumber } from '../../../../../shared/domain/decision/reasons.ts';
import { factsAmong } from '../../../../../shared/domain/registry-records/stored-facts.ts';
import { licenseOf } from '../../../../support/agency-records.ts';
import { recordedItems } from '../../../../support/holders.ts';

const owner = '65f0c1d2e3a4b5c6d7e8f900';
const productId = '65f0c1d2e3a4b5c6d7e8f905';
const recordedAt = '2026-02-01T09:00:00.000Z';
const reportedAt = '2026-03-01T09:00:00.000Z';
const now = '2026-06-01T09:00:00.000Z';

const entry = { validFrom: '2026-01-01', recordedAt: '2026-01-01T09:00:00.000Z', isSilent: false, hash: '' };
const config = {
  head: {
    productId,
    createdAt: entry.recordedAt,
    updatedAt: entry.recordedAt,
    deletions: [],
    revision: 1,
    present: { ...entry, productName: 'Cargo' },
    isFirst: true,
    nextFrom: null,
    recordedAt: entry.recordedAt,
    recordedThatDay: 1,
  },
  entries: [entry],
  versions: [
    {
      productId,
      productName: 'Cargo',
      states: [{ stateCode: 'TX' as const, linesOfAuthority: [], appointment: 'not required' as const }],
      ...entry,
    },
  ],
};

const licenseOfClass = (licenseClassName: string, at: string) =>
  recordedItems(
    owner,
    {
      licenses: [
        licenseOf({
          npn: '1000000',
          licenseNumber: licenseClassName,
          licenseClassCode: null,
          licenseClassName,
          nextRenewalDate: null,
          linesOfAuthority: [],
        }),
      ],
    },
    at,
  ).map((item) => ({ ...item, isSilent: false }));

/** Somebody with a license of a class since before the last report. */
const recordedOf = (licenseClassName: string, later: readonly Record<string, unknown>[] = []) => ({
  facts: factsAmong([...licenseOfClass(licenseClassName, recordedAt), ...later]),
  configs: [config],
  classKinds: [],
  carrier: { name: 'Beacon', naicCodes: [], eins: [] },
  carriersBefore: [],
});

/** What earlier rules reported, which took the license for any other. */
const baselineOf = (rules: number) => ({
  knownAt: reportedAt,
  at: reportedAt,
  rules,
  agent: { [productId]: { productName: 'Cargo', states: { TX: 'COMPLIANT/Licensed/Not Required' } } },
});

const changesOf = (recorded: ReturnType<typeof recordedOf>, rules: number) =>
  changedProducts(
    heldByReceivers('agent', recorded, baselineOf(rules), now),
    statusesAt('agent', recorded, now),
  );

it('sends nothing to 10,000 whose answers another number of the rules changes', () => {
  const holders = ['Adjuster', 'Bail Bondsman', 'Consultant', 'Title', 'Nobody knows'].map((name) =>
    recordedOf(name),
  );
  const changes = Array.from({ length: 10_000 }, (_, index) =>
    changesOf(holders[index % holders.length] ?? recordedOf(''), rulesNumber - 1),
  );
  expect(changes.flat()).toEqual([]);
});

it('sends the same difference where the present rules made the baseline', () => {
  const [product] = changesOf(recordedOf('Adjuster'), rulesNumber);
  expect(product?.states).toMatchObject([
    { stateCode: 'TX', licenseStatus: { statusName: 'Wrong License Class' } },
  ]);
});

it('sends what changed since the baseline that is made again', () => {
  const producer = licenseOfClass('Producer', '2026-04-01T09:00:00.000Z');
  const [product] = changesOf(recordedOf('Adjuster', producer), rulesNumber - 1);
  expect(product?.states).toMatchObject([{ stateCode: 'TX', complianceStatus: 'COMPLIANT' }]);
});
