import { heldKey } from '#domain/baselines/baseline.ts';
import { complianceKeys } from '#domain/compliance/stored.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { pack } from '#domain/registry-records/stored-records.ts';
import { writesOf } from '#platform/data/table.ts';
import {
  addAgent,
  advance,
  baselineOf,
  carrier,
  deliverChange,
  events,
  names,
  productId,
  putLicenses,
  start,
} from '../support/compliance-changes-tests.ts';
import { newId } from '../support/filings.ts';
import { dynamo } from '../support/tables.ts';

/** When a baseline was made, of what had been recorded before. */
const reportedAt = new Date(start - 60 * 86_400_000).toISOString();
const recordedAt = new Date(start - 90 * 86_400_000);

const npn = '2000000';

const putLicenseOfClass = (licenseClassName: string, licenseNumber: string, at = new Date(start)) =>
  putLicenses(
    npn,
    [
      {
        licenseClassName,
        licenseClassCode: null,
        licenseNumber,
        nextRenewalDate: null,
        expirationDate: null,
      },
    ],
    { at },
  );

const heldOf = (status: string) =>
  pack({ [heldKey('agent', productId, 'TX')]: status, [heldKey('agency', productId, 'TX')]: status });

/** A producer with an adjuster’s license, whom earlier rules reported as compliant. */
beforeEach(async () => {
  await addAgent(newId(), npn);
  await putLicenseOfClass('Adjuster', '1', recordedAt);
  await writesOf(dynamo, names.compliance).putAll([
    {
      ...complianceKeys.reported(carrier, npn),
      version: 1,
      at: reportedAt,
      knownAt: reportedAt,
      carrier: { name: 'Beacon', naicCodes: [], eins: [] },
      rules: rulesNumber - 1,
      statuses: heldOf('COMPLIANT/Licensed/Not Required'),
    },
  ]);
});

it('makes a baseline of earlier rules again silently', async () => {
  await deliverChange(npn);
  await advance(61);
  expect(await events()).toEqual([]);
  expect(await baselineOf(npn)).toMatchObject({
    rules: rulesNumber,
    statuses: heldOf('NOT_COMPLIANT/Wrong License Class/Not Required'),
  });
});

it('sends what changed since, by the present rules alone', async () => {
  await putLicenseOfClass('Insurance Producer', '77');
  await deliverChange(npn);
  await advance(61);
  expect((await events()).map(({ payload }) => JSON.stringify(payload))).toEqual([
    expect.stringContaining('"complianceStatus":"COMPLIANT"'),
  ]);
});
