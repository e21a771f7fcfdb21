// What a licensing desk asks in its month, and the calls that answer it.

import { agentRoutes } from '../../functions/agents/routes.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { ask, given, id } from '../support/carrier-records.ts';
import { routes as compliance } from '../support/compliance-tests.ts';
import { daniel, licensed, loneStar, newDesk, npns, type Row, rowsOf } from '../support/desk-carrier.ts';
import { newId } from '../support/filings.ts';
import { agent, transaction } from '../support/import-lines.ts';
import {
  associationId,
  config,
  newCarrier,
  producerNpn,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';

const routes = { ...compliance, ...agentRoutes.routes, ...saleCheckRoutes.routes };

const today = '2026-07-01';

let owner: string;

beforeAll(async () => {
  owner = await newDesk();
});

const listOf = async (name: keyof typeof routes, query: Record<string, string> = {}) =>
  (await rowsOf(owner, routes[name], query)).rows;

const text = (row: Row, name: string): string => String(row[name]);

const nameOf = ({ npn }: Row): string => Object.entries(npns).find(([, one]) => one === npn)?.[0] ?? 'nobody';

/** Who the rows are about, each once. */
const who = (rows: readonly Row[]): string[] => [...new Set(rows.map(nameOf))].sort();

const agentIdsOf = (rows: readonly Row[]): Set<string> =>
  new Set(rows.flatMap((row) => row['agents'] as readonly Row[]).map((one) => text(one, 'agentId')));

const agentsOf = async () =>
  (await listOf('listAgents')).map((row): Row => ({ ...row, ...(row['agent'] as Row) }));

const appointedNow = () => listOf('listAppointments', { inForceOn: today });

it.each<[string, () => Promise<unknown>, unknown]>([
  [
    '1: which appointments a state bills at the end of the year, and who produced there',
    async () => {
      const billed = await listOf('listAppointments', { stateCode: 'GA', inForceOn: '2026-12-31' });
      const sold = agentIdsOf(await listOf('listPolicySales', { stateCode: 'GA', soldFrom: '2026-01-01' }));
      return billed.map((row) => [nameOf(row), row['companyCode'], sold.has(text(row, 'agentId'))]);
    },
    [['maria', '22314', true]],
  ],
  [
    '2: who has not produced for a year, and is appointed where',
    async () => {
      const sold = agentIdsOf(await listOf('listPolicySales', { soldFrom: '2025-07-01' }));
      const idle = (await appointedNow()).filter((row) => row['agentId'] && !sold.has(text(row, 'agentId')));
      return idle.map((row) => `${nameOf(row)} ${row['stateCode']}`).sort();
    },
    ['ana TX', 'leo TX'],
  ],
  [
    '3: which licenses end within 60 days, and with how much premium',
    async () => {
      const ending = await listOf('listLicenses', { endsFrom: today, endsUntil: '2026-08-30' });
      const book = await listOf('listPolicyComplianceStatuses');
      return ending.map((row) => [
        nameOf(row),
        row['stateCode'],
        book
          .filter(
            (one) => one['stateCode'] === row['stateCode'] && agentIdsOf([one]).has(text(row, 'agentId')),
          )
          .map((one) => one['premiumAmountInUSD']),
      ]);
    },
    [['maria', 'GA', [1_000]]],
  ],
  [
    '6: who is appointed twice, for two fees',
    async () => {
      const ofCompany = Map.groupBy(await appointedNow(), (row) =>
        ['npn', 'stateCode', 'companyCode'].map((name) => text(row, name)).join(' '),
      );
      const twice = (some: readonly Row[]): boolean =>
        some.length > 1 && some.some((row) => row['lineOfAuthorityCode'] === null);
      return [...ofCompany].flatMap(([key, some]) => (twice(some) ? key : []));
    },
    [`${npns.maria} TX 22314`],
  ],
  [
    '7: who is appointed where no license is in force',
    async () => {
      const place = (row: Row): string => `${nameOf(row)} ${row['stateCode']}`;
      const licensed = new Set((await listOf('listLicenses', { inForceOn: today })).map(place));
      return (await appointedNow()).map(place).filter((one) => !licensed.has(one));
    },
    ['daniel TX'],
  ],
  [
    '8: who is appointed though archived, or with no agency',
    async () => {
      const archived = (await agentsOf()).filter((one) => one['isArchived'] === true);
      const ids = new Set(archived.map((one) => one['_id']));
      const isOfNoAgency = (row: Row): boolean => String(row['downstreamEntityAssociationIds']) === '';
      return who((await appointedNow()).filter((row) => ids.has(row['agentId']) || isOfNoAgency(row)));
    },
    ['ana', 'leo'],
  ],
  [
    '9: who is appointed by one company and not by another',
    async () => {
      const appointed = await appointedNow();
      const by = (code: string) => who(appointed.filter((row) => row['companyCode'] === code));
      return by('22314').filter((one) => !by('10847').includes(one));
    },
    ['agency', 'ana', 'daniel', 'leo', 'maria'],
  ],
  [
    '10: whose appointments began and ended when, and why, and by which license numbers',
    async () => {
      const [appointments, licenses] = [
        await listOf('listAppointments', { agentId: daniel }),
        await listOf('listLicenses', { agentId: daniel }),
      ];
      const told = appointments.map((row) =>
        ['companyCode', 'effectiveDate', 'statusChangeDate', 'terminationReason'].map((name) => row[name]),
      );
      return [told.sort(), licenses.map((row) => row['licenseNumber']).sort()];
    },
    [
      [
        ['10847', '2022-02-01', '2026-06-15', 'Voluntary'],
        ['22314', '2022-02-01', null, null],
      ],
      ['101', '900'],
    ],
  ],
  [
    '12: what was sold without a license in five years',
    async () => {
      const query = { complianceStatus: 'NOT_COMPLIANT', soldFrom: '2021-07-01' };
      return (await listOf('listPolicySales', query)).map((row) => row['policyNumber']);
    },
    ['GA-2'],
  ],
  [
    '13: whose commission to hold',
    async () => {
      const both = ['NOT_COMPLIANT', 'NOT_KNOWN'].map((complianceStatus) =>
        listOf('listPolicySales', { complianceStatus }),
      );
      return [...agentIdsOf((await Promise.all(both)).flat())];
    },
    [daniel],
  ],
  [
    '14: what an agent has sold since a day',
    async () => {
      const sold = await listOf('listPolicySales', { agentId: daniel, soldFrom: '2026-02-01' });
      return sold.map((row) => row['policyNumber']);
    },
    ['GA-2'],
  ],
  [
    '15: what was known when an underwriter bound',
    async () => {
      const params = { agentId: daniel };
      const inOklahoma = { stateCode: 'OK', asOf: '2026-06-15' };
      const asked = [{}, { knownAt: '2026-06-16T00:00:00Z' }].map(async (more) => {
        const query = { ...inOklahoma, ...more };
        const { data } = await ask(owner, routes.listAgentLicenses, { params, query });
        return (data as readonly Row[]).map((row) => row['status']);
      });
      return Promise.all(asked);
    },
    [[], ['active']],
  ],
  [
    '29: which regulatory actions are new since a day, in all states',
    async () => {
      const actions = await listOf('listRegulatoryActions', { recordedSince: '2026-06-01T00:00:00Z' });
      return actions.flatMap((row) =>
        row['isDeleted'] === true
          ? []
          : [[nameOf(row), row['stateCode'], row['disposition'], row['isInForce']]],
      );
    },
    [['daniel', 'OK', 'License, Revoked', true]],
  ],
])('%s', async (_, answer, expected) => {
  expect(await answer()).toEqual(expected);
});

/** What is asked of sellers in a state, with nothing of appointments and lines. */
const asks = (stateCode: string, fields: object = {}) => ({
  stateCode,
  linesOfAuthority: [],
  appointment: 'not required',
  licenseOf: 'agent',
  ...fields,
});

/** The sales of a carrier in the order of their days. */
const salesOf = async (carrier: string) =>
  (await rowsOf(carrier, routes.listPolicySales)).rows
    .map(({ soldOn, upstreamDownstreamAssociationId, complianceStatus, reasons }) => [
      soldOn,
      upstreamDownstreamAssociationId,
      complianceStatus,
      ...(reasons as Row[]).map(({ code }) => code),
    ])
    .toSorted();

const sale = (policyTransactionDate: string, fields: object = {}) =>
  transaction('P-1', { policyTransactionDate, productCode: 'CGL', ...fields });

it('16: who sold what of an agency that another one bought, and the renewals', async () => {
  const [seller, buyer] = [associationId, newId()];
  const bought = { type: 'association', _id: buyer, producerCode: 'P-2' };
  const carrier = await newCarrier(
    config({ states: [asks('TX')] }),
    { ...bought, downstreamEntity: { legalName: 'Big Sky Brokerage', npn: '17654399' } },
    sale('2026-01-10', { producerCode: 'P-7731', agentNpn: producerNpn }),
  );
  await given(
    carrier,
    agent({ _id: id(1), npn: producerNpn, downstreamEntityAssociationIds: [buyer] }),
    sale('2026-05-10', { policyTransactionType: 'Renewal' }),
    sale('2026-06-10', { policyTransactionType: 'Renewal', producerCode: 'P-2', agentNpn: producerNpn }),
  );
  expect(await salesOf(carrier)).toEqual([
    ['2026-01-10', seller, 'COMPLIANT'],
    ['2026-05-10', seller, null, 'seller_not_named'],
    ['2026-06-10', buyer, 'COMPLIANT'],
  ]);
});

it('17: what somebody sold whose two NPNs became one', async () => {
  const carrier = await newCarrier(
    config({ states: [asks('TX')] }),
    sale('2026-01-10', { producerCode: 'P-7731', agentNpn: producerNpn }),
  );
  const merged = '8123499';
  await given(
    carrier,
    agent({ _id: id(1), npn: merged, downstreamEntityAssociationIds: [associationId] }),
    licensed(merged, '100'),
  );
  expect(await salesOf(carrier)).toEqual([['2026-01-10', associationId, 'COMPLIANT']]);
});

it('5: who is due for appointment this week', async () => {
  const onBinding = { appointment: 'on binding', appointmentOf: 'agent', appointWithinDays: 15 };
  const carrier = await newCarrier(
    config({ states: [asks('TX', onBinding)] }),
    licensed(unlicensedNpn, '200'),
    sale('2026-06-20', { producerCode: 'P-7731', agentNpn: unlicensedNpn }),
  );
  const { rows } = await rowsOf(carrier, routes.listAppointmentsDue, { dueStatus: 'due' });
  expect(rows).toMatchObject([{ party: 'agent', agentId: id(2), dueOn: '2026-07-05', daysLeft: 4 }]);
});

it('28: who of an agency is ready for a product in another state, and what is missing', async () => {
  const query = { downstreamEntityAssociationId: loneStar, productCode: 'CGL', stateCode: 'GA' };
  const sellers = (await listOf('listSellers', query)).map(({ seller, answer, reasons }) => [
    nameOf(seller as Row),
    answer,
    ...(reasons as Row[]).map(({ code }) => code),
  ]);
  expect(sellers.toSorted()).toEqual([
    ['ana', 'no', 'license_missing', 'seller_archived'],
    ['daniel', 'no', 'license_missing'],
    ['maria', 'yes'],
  ]);
});
