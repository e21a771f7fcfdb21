// A carrier with an agency, its producers, and what became of their licenses and appointments, for tests of what a desk asks.

import type { Route } from '#platform/contract/route.ts';
import { ask, clock, given, id, importLines, newOwner } from './carrier-records.ts';
import {
  agent,
  appointment,
  associationOf,
  license,
  product as productLine,
  transaction,
} from './import-lines.ts';

export type Row = Readonly<Record<string, unknown>>;

export const loneStar = id(21);
export const [maria, daniel, ana, leo] = [id(31), id(32), id(33), id(34)];
export const npns = {
  agency: '17654321',
  maria: '8123456',
  daniel: '9034417',
  ana: '8400001',
  leo: '8400002',
};

const person = (_id: string, npn: string, firstName: string, fields: object = {}) =>
  agent({ _id, npn, firstName, lastName: 'Delgado', downstreamEntityAssociationIds: [loneStar], ...fields });

export const licensed = (npn: string, licenseNumber: string, fields: object = {}) =>
  license({ npn, licenseNumber, issueDate: '2020-01-01', nextRenewalDate: '2027-12-31', ...fields });

export const appointed = (npn: string, fields: object = {}) =>
  appointment({
    npn,
    companyCode: '22314',
    lineOfAuthorityCode: '16',
    status: 'Appointed',
    effectiveDate: '2022-02-01',
    ...fields,
  });

const action = (npn: string, actionId: string, fields: object = {}) => ({
  type: 'regulatory-action',
  npn,
  stateCode: 'TX',
  actionId,
  disposition: 'Monetary Penalty',
  effectiveDate: '2026-01-10',
  ...fields,
});

const product = productLine(id(41), {
  productName: 'General Liability',
  productCode: 'CGL',
  validFrom: '2020-01-01',
  states: ['TX', 'GA'].map((stateCode) => ({
    stateCode,
    linesOfAuthority: [],
    appointment: 'not required',
    licenseOf: 'agent',
  })),
});

const sold = (policyNumber: string, agentNpn: string, riskStateCode: string) =>
  transaction(policyNumber, {
    riskStateCode,
    agentNpn,
    policyTransactionDate: '2026-03-01',
    effectiveDate: '2026-03-01',
    upstreamDownstreamAssociationId: loneStar,
    productCode: 'CGL',
    premiumAmountInUSD: 1_000,
  });

/** When everything was recorded first, and when some of it changed. */
export const [before, later] = ['2026-05-01T12:00:00.000Z', '2026-06-20T12:00:00.000Z'];

/** Makes the carrier; answers its organization's id. */
export async function newDesk(): Promise<string> {
  const owner = await newOwner();
  const wrong = [
    licensed(npns.maria, 'X-1', { stateCode: 'OK' }),
    appointed(npns.maria, { stateCode: 'OK' }),
    action(npns.maria, 'X-2', { stateCode: 'OK' }),
  ];
  clock.time = new Date(before);
  await given(
    owner,
    product,
    associationOf(loneStar, { _id: id(51), legalName: 'Lone Star Brokerage', npn: npns.agency }),
    person(maria, npns.maria, 'Maria'),
    person(daniel, npns.daniel, 'Daniel'),
    person(ana, npns.ana, 'Ana', { isArchived: true }),
    person(leo, npns.leo, 'Leo', { downstreamEntityAssociationIds: [] }),
    licensed(npns.agency, '1'),
    licensed(npns.maria, '100'),
    licensed(npns.maria, 'G-7', {
      stateCode: 'GA',
      residencyStatus: 'non-resident',
      nextRenewalDate: '2026-08-15',
    }),
    licensed(npns.daniel, '101', { nextRenewalDate: '2026-05-31' }),
    licensed(npns.daniel, '900', { stateCode: 'OK', residencyStatus: 'non-resident' }),
    licensed(npns.ana, '102'),
    licensed(npns.leo, '103', { nextRenewalDate: null, expirationDate: null }),
    appointed(npns.agency),
    appointed(npns.maria),
    appointed(npns.maria, { lineOfAuthorityCode: null }),
    appointed(npns.maria, { stateCode: 'GA', renewalDate: '2026-12-31' }),
    appointed(npns.daniel),
    appointed(npns.daniel, { companyCode: '10847' }),
    appointed(npns.ana),
    appointed(npns.leo),
    action(npns.maria, '4471'),
    ...wrong,
    sold('GA-1', npns.maria, 'GA'),
    sold('TX-1', npns.maria, 'TX'),
    sold('GA-2', npns.daniel, 'GA'),
  );
  clock.time = new Date(later);
  await given(
    owner,
    licensed(npns.daniel, '900', {
      stateCode: 'OK',
      residencyStatus: 'non-resident',
      status: 'Revoked',
      statusDate: '2026-06-10',
      statusReason: 'Failure to pay',
    }),
    appointed(npns.daniel, {
      companyCode: '10847',
      status: 'Terminated',
      statusChangeDate: '2026-06-15',
      terminationReason: 'Voluntary',
    }),
    action(npns.daniel, '88', {
      stateCode: 'OK',
      disposition: 'License, Revoked',
      effectiveDate: '2026-06-10',
      lengthOfOrderInDays: 90,
    }),
    ...wrong.map((line) => ({ ...line, isDeleted: true })),
  );
  // The state's list has another license of hers.
  const others = [licensed(npns.ana, '102-B'), appointed(npns.ana)];
  expect(await importLines(owner, others, { complete: true })).toMatchObject({ rejected: [] });
  return owner;
}

/** What a list of an organization returns, and its headers. */
export async function rowsOf(owner: string, route: Route, query: Record<string, string> = {}) {
  const { status, data, details, headers } = await ask(owner, route, { query });
  expect({ status, details }).toEqual({ status: 200 });
  return { rows: data as readonly Row[], headers };
}
