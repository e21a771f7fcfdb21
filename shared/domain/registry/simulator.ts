import { createHash } from 'node:crypto';
import { stateCodes } from '#platform/contract/primitives.ts';
import type { Table } from '#platform/data/table.ts';
import { reportOf, type WrittenReport } from './read-rows.ts';
import {
  type EntityReport,
  type Registry,
  type RegistryReport,
  unknownNpn,
  type WrittenRow,
} from './registry.ts';
import { createSimulatedRecords, type SimulatedRecord } from './simulated-record.ts';

// Reports like those of the registry, made up: rows with the class names and codes of several kinds of states, and with what real
// ones have now and then, such as a suspended license, one that is applied for, or a row with a date that cannot be read.

/** Numbers derived from an NPN and a purpose alone, so that every process returns the same. */
const numbersOf = (npn: string) => {
  const number = (purpose: string, below: number): number =>
    createHash('sha256').update(`${npn} ${purpose}`).digest().readUInt32BE() % below;
  const word = (purpose: string, list: string): string => {
    const words = list.split(', ');
    return words[number(purpose, words.length)] ?? '';
  };
  return { number, word };
};

const dateOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

const firmNames = 'Alder, Beacon, Cedar, Granite, Harbor, Juniper, Lone Star, Summit';
const firmKinds = 'Insurance Agency, Brokerage, Risk Partners, Insurance Services';
const firstNames = 'Alex, Casey, Jamie, Jordan, Morgan, Riley, Robin, Taylor';
const lastNames = 'Bennett, Carver, Delgado, Ellison, Nguyen, Okafor, Ramsey, Whitaker';

/** Company codes have leading zeros. */
const carriers = [
  { carrierName: 'Beacon Specialty Insurance Company', companyCode: '019437', ein: '75-1234567' },
  { carrierName: 'Keystone Surety Company', companyCode: '022314', ein: '23-7654321' },
  { carrierName: 'Prairie Mutual Insurance Company', companyCode: '10847', ein: '36-2223334' },
];

/** Names of classes and lines in several states, each by its code and its name. */
const vocabularies = [
  {
    producer: 'PRO: Insurance Producer',
    firm: 'BE: Business Entity Producer',
    lines: ['CAS: Casualty', 'P: Property', 'L: Life', 'H: Accident & Health or Sickness'],
  },
  {
    producer: '01: INSURANCE PRODUCER',
    firm: '02: INSURANCE AGENCY',
    lines: ['16: CASUALTY', '17: PROPERTY', '8: LIFE', '5: ACCIDENT AND HEALTH'],
  },
  {
    producer: 'GLPC: General Lines - Property and Casualty',
    firm: 'AGY: General Lines Agency',
    lines: ['PC: Property & Casualty', 'PL: Personal Lines', 'LAH: Life, Accident, Health and HMO'],
  },
] as const;

/** Matters of so many of 16 states' licenses; with the others nothing is the matter. */
const matters = ['expired', 'expired', 'suspended', 'pending', 'odd'] as const;

type Numbers = ReturnType<typeof numbersOf>;

/** The rows of a state: licenses, appointments, and the order that suspends the licenses. */
function rowsOf({ number }: Numbers, stateCode: string, isHome: boolean, isFirm: boolean, year: number) {
  const pick = (purpose: string, below: number): number => number(`${stateCode} ${purpose}`, below);
  const matter = matters[pick('matter', 16)] ?? 'none';
  const words = vocabularies[pick('words', vocabularies.length)] ?? vocabularies[0];
  // A live license ends with a year, one that expired with a month of the last one.
  const expires =
    matter === 'expired' ? dateOf(year - 1, pick('month', 12) + 1, 0) : dateOf(year + pick('term', 2), 12, 0);
  const beganOn = dateOf(2012 + pick('issued', 10), pick('issue month', 12), 1);
  const isPending = matter === 'pending';
  const [issueDate, expirationDate] = isPending ? [null, null] : [beganOn, expires];
  const suspendedOn = dateOf(year - 1, 10, 3);
  const ends: Readonly<Partial<Record<typeof matter, WrittenRow>>> = {
    expired: { status: 'Inactive', statusReason: 'Expired', statusDate: expires },
    suspended: { status: 'Inactive', statusReason: 'Suspended', statusDate: suspendedOn },
    pending: { status: 'Pending' },
  };
  // As in the registry, half of the expired licenses still show as active.
  const isHidden = matter === 'expired' && pick('hidden', 2) === 0;
  const end = isHidden ? undefined : ends[matter];
  const ofLines = end ?? { status: 'Active' };

  // Some states give firms no lines.
  const lines = isFirm && pick('firms', 8) === 0 ? [] : words.lines.slice(0, 1 + pick('lines', 4));
  const [licenseClassCode, licenseClassName] = (isFirm ? words.firm : words.producer).split(': ');
  const license = (numberPurpose: string): WrittenRow => ({
    stateCode,
    licenseNumber: String(1_000_000 + pick(numberPurpose, 9_000_000)),
    licenseClassCode,
    licenseClassName,
    // The others are those of its lines.
    ...(lines.length > 0 && ofLines),
    status: end === undefined ? 'active' : 'inactive',
    residencyStatus: isHome ? 'R' : 'NR',
    issueDate,
    expirationDate,
    linesOfAuthority: lines.map((line) => {
      const [code, name] = line.split(': ');
      const continuingEducation = isFirm
        ? { ceCompliance: 'not applicable' }
        : { ceCompliance: 'in compliance', ceRenewalDate: expires, ceCreditsNeeded: 0 };
      return { code, name, issueDate, ...ofLines, ...continuingEducation };
    }),
  });

  const licenses = [license('number')];
  if (matter === 'odd') {
    licenses.push({ ...license('odd number'), status: 'inactive', expirationDate: `${year - 3}-31-12` });
  }

  const [lineOfAuthorityCode, lineOfAuthorityName] = words.lines[0].split(': ');
  const termination = { status: 'TERMINATED', terminationReason: 'Cancelled by company - not for cause' };
  const isTerminated = pick('terminated', 10) === 0;
  const appointment = {
    stateCode,
    ...carriers[pick('carrier', carriers.length)],
    lineOfAuthorityName,
    lineOfAuthorityCode,
    ...(isTerminated ? termination : { status: 'APPOINTED' }),
    statusChangeDate: isTerminated ? suspendedOn : beganOn,
    countyCode: stateCode === 'FL' ? '086' : null,
  };
  const order = {
    stateCode,
    actionId: String(10_000 + pick('order', 9_000)),
    originOfAction: 'Department of Insurance',
    reasonForAction: 'Failure to comply with an order',
    disposition: 'License, Suspended',
    dateOfAction: suspendedOn,
    effectiveDate: suspendedOn,
    enterDate: suspendedOn,
  };
  return {
    licenses,
    appointments: pick('appointed', 3) > 0 ? [appointment] : [],
    orders: matter === 'suspended' ? [order] : [],
  };
}

/**
 * The report of an NPN: derived from its digits and the current year alone. NPNs of ten digits that begin with 9 are not found. The
 * others are firms or individuals with licenses in one to eight states, of which the first is the home state. In two of sixteen
 * states licenses are expired; in one each they are suspended by an order, applied for, or beside a row with a date that nobody can
 * read. Carriers appoint them in some of those states.
 */
function simulatedReport(npn: string, now: Date): WrittenReport | undefined {
  if (/^9\d{9}$/.test(npn)) return undefined;
  const numbers = numbersOf(npn);
  const { number, word } = numbers;
  const year = now.getUTCFullYear();
  const isFirm = number('kind', 2) === 0;
  const firstState = number('state', stateCodes.length);
  // Eleven is prime to the number of jurisdictions, so no state comes twice.
  const codes = Array.from(
    { length: 1 + number('states', 8) },
    (_, index) => stateCodes[(firstState + index * 11) % stateCodes.length] ?? 'TX',
  );
  const states = codes.map((code, index) => rowsOf(numbers, code, index === 0, isFirm, year));
  return {
    npn,
    kind: isFirm ? 'firm' : 'individual',
    name: isFirm
      ? `${word('name', firmNames)} ${word('form', firmKinds)}`
      : `${word('first', firstNames)} ${word('last', lastNames)}`,
    licenses: states.flatMap(({ licenses }) => licenses),
    appointments: states.flatMap(({ appointments }) => appointments),
    regulatoryActions: states.flatMap(({ orders }) => orders),
  };
}

/** Report of the registry for an NPN by itself, each row read as those of its reports are; undefined for an unknown one. */
export function simulate(npn: string, now: Date): EntityReport | undefined {
  const writtenReport = simulatedReport(npn, now);
  return writtenReport && reportOf(writtenReport);
}

/** The list of a record that has the rows of each kind. */
const lists = {
  license: 'licenses',
  appointment: 'appointments',
  'regulatory action': 'regulatoryActions',
} as const;

/** Report with the lists that somebody set in place of the generated ones. */
export function withRecord(
  generatedReport: EntityReport | undefined,
  { entity, ...set }: SimulatedRecord,
  npn: string,
): EntityReport | undefined {
  const isHeld = (set.licenses ?? set.appointments ?? set.regulatoryActions) !== undefined;
  if (entity === null || (generatedReport === undefined && entity === undefined && !isHeld)) return undefined;
  // The registry knows every NPN that holds a record in it.
  const holder = entity ?? generatedReport ?? { kind: 'individual', name: `Holder of ${npn}` };
  return {
    kind: holder.kind,
    name: holder.name,
    licenses: set.licenses ?? generatedReport?.licenses ?? [],
    appointments: set.appointments ?? generatedReport?.appointments ?? [],
    actions: set.regulatoryActions ?? generatedReport?.actions ?? [],
    unreadable: generatedReport?.unreadable?.filter(({ kind }) => set[lists[kind]] === undefined),
  };
}

/** Report that a visit reads: the lists that somebody set, and of all where a customer's own record was taken back. */
function visitReport(report: EntityReport | undefined, set: SimulatedRecord): RegistryReport {
  const { isTakenBack: isAll = false } = set;
  if (report === undefined && (isAll || set.entity === null)) return unknownNpn;
  // What an import brought is worth more than what is made up, which every night's poll would put in its place.
  return {
    licenses: isAll || set.licenses !== undefined ? report?.licenses : undefined,
    appointments: isAll || set.appointments !== undefined ? report?.appointments : undefined,
    actions: isAll || set.regulatoryActions !== undefined ? report?.actions : undefined,
    unreadable: isAll ? report?.unreadable : [],
  };
}

/** The registry of environments without a real one: deterministic, except for records that operators and customers set. */
export function createSimulator(table: Table, now: () => Date): Registry {
  const records = createSimulatedRecords(table);
  const ask = async (npn: string) => {
    const set = await records.read(npn);
    return { set, report: withRecord(simulate(npn, now()), set, npn) };
  };
  const ownRecordOf = async (subscriber: string | undefined, npn: string) =>
    subscriber === undefined ? {} : records.ownOf(subscriber, npn, now());
  return {
    async fetch(npn, subscriber) {
      const [{ report }, ownRecord = {}] = await Promise.all([ask(npn), ownRecordOf(subscriber, npn)]);
      return withRecord(report, ownRecord, npn);
    },
    async visit(npn, subscriber) {
      const ownRecord = await ownRecordOf(subscriber, npn);
      if (ownRecord === undefined) return undefined;
      const { set, report } = await ask(npn);
      return visitReport(withRecord(report, ownRecord, npn), { ...set, ...ownRecord });
    },
  };
}
