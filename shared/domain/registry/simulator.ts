import { createHash } from 'node:crypto';
import { stateCodes } from '../../platform/contract/primitives.ts';
import type { Table } from '../../platform/data/table.ts';
import {
  type Registry,
  type RegistryAction,
  type RegistryEntity,
  type RegistryPolls,
  RegistryUnavailable,
} from './registry.ts';
import { createSimulatedRecords, type SimulatedRecord } from './simulated-record.ts';

/** Everything that the simulated registry has for an NPN. */
export interface Simulated {
  readonly entity: RegistryEntity | undefined;
  readonly regulatoryActions: readonly RegistryAction[];
}

const firmNames = [
  'Alder',
  'Beacon',
  'Cedar',
  'Granite',
  'Harbor',
  'Juniper',
  'Lone Star',
  'Summit',
] as const;
const firmKinds = ['Insurance Agency', 'Brokerage', 'Risk Partners', 'Insurance Services'] as const;
const firstNames = ['Alex', 'Casey', 'Jamie', 'Jordan', 'Morgan', 'Riley', 'Robin', 'Taylor'] as const;
const lastNames = [
  'Bennett',
  'Carver',
  'Delgado',
  'Ellison',
  'Nguyen',
  'Okafor',
  'Ramsey',
  'Whitaker',
] as const;
const carriers = [
  { carrierName: 'Beacon Specialty Insurance Company', companyCode: '19437', ein: '75-1234567' },
  { carrierName: 'Keystone Surety Company', companyCode: '22314', ein: '23-7654321' },
  { carrierName: 'Prairie Mutual Insurance Company', companyCode: '10847', ein: '36-2223334' },
] as const;
const lines = [
  { code: '16', name: 'Casualty' },
  { code: '17', name: 'Property' },
  { code: '12', name: 'Surplus Lines' },
  { code: '8', name: 'Life' },
] as const;
const reasons = ['Late filing', 'Failure to report', 'Continuing education'] as const;

/** Numbers derived from an NPN and a purpose alone, so that every process returns the same. */
function chooser(npn: string) {
  const number = (purpose: string, below: number): number =>
    createHash('sha256').update(`${npn} ${purpose}`).digest().readUInt32BE() % below;
  const one = <Items extends readonly [unknown, ...unknown[]]>(
    purpose: string,
    items: Items,
  ): Items[number] => items[number(purpose, items.length)] ?? items[0];
  return { number, one };
}

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/**
 * The registry's response for an NPN, derived from its digits and the current year alone. NPNs of ten digits that
 * begin with 9 are not known. The others are firms or individuals with licenses in one to eight states: most valid until this year's end or
 * the next one's, one in eight expired. Carriers appoint them in some of those states, and one in eight has a
 * regulatory action.
 */
export function simulate(npn: string, now: Date): Simulated {
  if (/^9\d{9}$/.test(npn)) return { entity: undefined, regulatoryActions: [] };
  const { number, one } = chooser(npn);
  const year = now.getUTCFullYear();
  const firm = number('kind', 2) === 0;
  const first = number('state', stateCodes.length);
  const licensed = Array.from({ length: 1 + number('states', 8) }, (_, index) => {
    // Eleven is prime to the number of jurisdictions, so no state comes twice.
    const stateCode = stateCodes[(first + index * 11) % stateCodes.length] ?? 'TX';
    return { stateCode, resident: index === 0 };
  });

  const licenses = licensed.map(({ stateCode, resident }) => {
    const expired = number(`${stateCode} expired`, 8) === 0;
    const renewalYear = expired ? year - 1 : year + number(`${stateCode} term`, 2);
    // The last day of a month: day 0 of the next one. A live license ends in December.
    const month = expired ? number(`${stateCode} month`, 12) : 11;
    const nextRenewalDate = iso(renewalYear, month + 1, 0);
    const issueDate = iso(
      2012 + number(`${stateCode} issued`, 10),
      number(`${stateCode} issue month`, 12),
      1,
    );
    return {
      stateCode,
      licenseNumber: String(1_000_000 + number(`${stateCode} number`, 9_000_000)),
      licenseClassCode: firm ? '1' : '2',
      licenseClassName: firm ? 'Property and Casualty Agency' : 'Property and Casualty Producer',
      // As in the registry, an expired license normally still shows as active.
      status: 'active',
      residencyStatus: resident ? ('resident' as const) : ('non-resident' as const),
      issueDate,
      nextRenewalDate,
      expirationDate: nextRenewalDate,
      statusReason: null,
      statusDate: null,
      linesOfAuthority: lines.slice(0, 1 + number(`${stateCode} lines`, lines.length)).map((line) => ({
        ...line,
        status: 'active',
        issueDate,
        statusDate: null,
        statusReason: null,
        ceCompliance: 'in compliance' as const,
        ceCreditsNeeded: 0,
        ceRenewalDate: nextRenewalDate,
      })),
    };
  });

  const appointments = licenses
    .filter(({ stateCode }) => number(`${stateCode} appointed`, 3) > 0)
    .map(({ stateCode, issueDate, nextRenewalDate }) => ({
      stateCode,
      ...one(`${stateCode} carrier`, carriers),
      lineOfAuthorityName: lines[0].name,
      lineOfAuthorityCode: lines[0].code,
      status: 'active',
      terminationReason: null,
      statusChangeDate: issueDate,
      renewalDate: nextRenewalDate,
      appointerStateCoId: String(10_000 + number(`${stateCode} appointer`, 90_000)),
      countyName: null,
      effectiveDate: issueDate,
      countyCode: null,
    }));

  const [resident] = licensed;
  const regulatoryActions =
    resident === undefined || number('actions', 8) > 0
      ? []
      : [
          {
            stateCode: resident.stateCode,
            actionId: String(1_000 + number('action', 9_000)),
            originOfAction: 'Department of Insurance',
            reasonForAction: one('reason', reasons),
            disposition: 'Monetary penalty',
            dateOfAction: '2024-05-02',
            effectiveDate: '2024-05-02',
            enterDate: '2024-05-09',
            fileRef: `${resident.stateCode}-2024-${number('file', 10_000)}`,
            penaltyFineForfeitureInUSD: 250 * (1 + number('penalty', 8)),
            lengthOfOrderInDays: null,
          },
        ];

  return {
    entity: {
      kind: firm ? 'firm' : 'individual',
      name: firm
        ? `${one('name', firmNames)} ${one('form', firmKinds)}`
        : `${one('first', firstNames)} ${one('last', lastNames)}`,
      residentStateCode: resident?.stateCode ?? null,
      licenses,
      appointments,
    },
    regulatoryActions,
  };
}

/** What operators set for an NPN, merged over what the simulator generates. */
export function withRecord(generated: Simulated, overrides: SimulatedRecord, npn: string): Simulated {
  const regulatoryActions = overrides.regulatoryActions ?? generated.regulatoryActions;
  if (overrides.entity === null) return { entity: undefined, regulatoryActions: [] };
  const heldOf = overrides.entity ?? generated.entity;
  const held = overrides.licenses ?? overrides.appointments ?? overrides.regulatoryActions;
  if (heldOf === undefined && held === undefined) return { entity: undefined, regulatoryActions };
  return {
    entity: {
      // The registry knows every NPN that holds a record in it.
      ...(heldOf ?? { kind: 'individual', name: `Holder of ${npn}`, residentStateCode: null }),
      licenses: overrides.licenses ?? generated.entity?.licenses ?? [],
      appointments: overrides.appointments ?? generated.entity?.appointments ?? [],
    },
    regulatoryActions,
  };
}

/** The registry of environments without a real one: deterministic, except for records that operators set. */
export function createSimulator(table: Table, now: () => Date): Registry & RegistryPolls {
  const records = createSimulatedRecords(table);
  const readOverrides = async (npn: string): Promise<SimulatedRecord> => {
    const overrides = await records.read(npn);
    if (overrides.unavailable === true)
      throw new RegistryUnavailable('The simulated registry is unavailable.');
    return overrides;
  };
  const respond = async (npn: string): Promise<Simulated> =>
    withRecord(simulate(npn, now()), await readOverrides(npn), npn);
  return {
    async subscribe(npn) {
      await respond(npn);
    },
    async fetch(npn) {
      const { entity, regulatoryActions } = await respond(npn);
      return entity && { ...entity, actions: regulatoryActions };
    },
    callsPerPoll: 1,
    changesSince: (cursor) => records.changesSince(cursor, now()),
    async poll(npn) {
      const overrides = await readOverrides(npn);
      const { entity, regulatoryActions } = withRecord(simulate(npn, now()), overrides, npn);
      // What an import brought is worth more than what is made up, which every night's poll would put in its place.
      return {
        licenses: overrides.licenses && entity?.licenses,
        appointments: overrides.appointments && entity?.appointments,
        actions: overrides.regulatoryActions === undefined ? [] : regulatoryActions,
      };
    },
  };
}
