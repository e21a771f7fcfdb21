import { createHash } from 'node:crypto';
import { stateCodes } from '../../platform/contract/primitives.ts';
import type { WrittenReport } from './read-rows.ts';
import type { WrittenRow } from './registry.ts';

// Reports like those of the registry, made up: rows with the class names and codes of several kinds of states, and with what real
// ones have now and then, such as a suspended license, one that is applied for, or a row with a date that cannot be read.

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

const dateOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

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
/** Company codes have leading zeros. */
const carriers = [
  { carrierName: 'Beacon Specialty Insurance Company', companyCode: '019437', ein: '75-1234567' },
  { carrierName: 'Keystone Surety Company', companyCode: '022314', ein: '23-7654321' },
  { carrierName: 'Prairie Mutual Insurance Company', companyCode: '10847', ein: '36-2223334' },
] as const;
const reasons = ['Late filing', 'Failure to report', 'Continuing education'] as const;

type CodeAndName = readonly [code: string, name: string];

/** How a state names its classes and lines. */
interface Vocabulary {
  readonly producer: CodeAndName;
  readonly entity: CodeAndName;
  readonly surplus: CodeAndName;
  readonly adjuster: CodeAndName;
  /** Casualty, property, life, and health. */
  readonly lines: readonly [CodeAndName, ...CodeAndName[]];
}

const vocabularies: readonly [Vocabulary, ...Vocabulary[]] = [
  {
    producer: ['PRO', 'Insurance Producer'],
    entity: ['BE', 'Business Entity Producer'],
    surplus: ['SLB', 'Surplus Lines Broker'],
    adjuster: ['IA', 'Independent Adjuster'],
    lines: [
      ['CAS', 'Casualty'],
      ['P', 'Property'],
      ['L', 'Life'],
      ['H', 'Accident & Health or Sickness'],
    ],
  },
  {
    producer: ['01', 'INSURANCE PRODUCER'],
    entity: ['02', 'INSURANCE AGENCY'],
    surplus: ['06', 'SURPLUS LINES BROKER'],
    adjuster: ['04', 'ADJUSTER'],
    lines: [
      ['16', 'CASUALTY'],
      ['17', 'PROPERTY'],
      ['8', 'LIFE'],
      ['5', 'ACCIDENT AND HEALTH'],
    ],
  },
  {
    producer: ['GLPC', 'General Lines - Property and Casualty'],
    entity: ['AGY', 'General Lines Agency'],
    surplus: ['SL', 'Surplus Lines'],
    adjuster: ['PAD', 'Public Adjuster'],
    lines: [
      ['PC', 'Property & Casualty'],
      ['PL', 'Personal Lines'],
      ['LAH', 'Life, Accident, Health and HMO'],
    ],
  },
];

/** States in which a firm has no lines of its own. */
const linelessFirms = new Set(['IL', 'MO', 'NC', 'SC', 'WI', 'WV']);

const vocabularyOf = (stateCode: string): Vocabulary =>
  vocabularies[(stateCode.charCodeAt(0) + stateCode.charCodeAt(1)) % vocabularies.length] ?? vocabularies[0];

/** What may be the matter with a license that has not expired, in so many of 42. */
const matters = { suspended: 3, pending: 3, lineEnded: 3, odd: 2 } as const;

type Matter = keyof typeof matters | 'expired' | 'none';

function matterOf(number: number): Matter {
  let left = number;
  for (const [matter, share] of Object.entries(matters)) {
    if (left < share) return matter as keyof typeof matters;
    left -= share;
  }
  return 'none';
}

/** What stands for a matter at each line. */
const lineStatus: Readonly<
  Record<Matter, { readonly status: string; readonly statusReason: string | null }>
> = {
  none: { status: 'Active', statusReason: null },
  odd: { status: 'Active', statusReason: null },
  lineEnded: { status: 'Active', statusReason: null },
  expired: { status: 'Inactive', statusReason: 'Expired' },
  suspended: { status: 'Inactive', statusReason: 'Suspended' },
  pending: { status: 'Pending', statusReason: null },
};

/** What a made-up report rests on. */
interface Made extends ReturnType<typeof chooser> {
  readonly isFirm: boolean;
  readonly year: number;
}

/** The rows of a state: licenses, appointments, and the order that suspends the licenses. */
function stateOf({ number, one, isFirm, year }: Made, stateCode: string, isHome: boolean) {
  const suspendedOn = dateOf(year - 1, 10, 3);
  const words = vocabularyOf(stateCode);
  const isExpired = number(`${stateCode} expired`, 8) === 0;
  const matter = isExpired ? 'expired' : matterOf(number(`${stateCode} matter`, 42));
  const renewalYear = isExpired ? year - 1 : year + number(`${stateCode} term`, 2);
  // The last day of a month: day 0 of the next one. A live license ends in December.
  const month = isExpired ? number(`${stateCode} month`, 12) : 11;
  const expires = dateOf(renewalYear, month + 1, 0);
  const begun = dateOf(2012 + number(`${stateCode} issued`, 10), number(`${stateCode} issue month`, 12), 1);
  const issueDate = matter === 'pending' ? null : begun;
  // As in the registry, half of the expired licenses still show as active.
  const isActive = isExpired
    ? number(`${stateCode} shown`, 2) === 0
    : !['suspended', 'pending'].includes(matter);
  const ofLines = isExpired && isActive ? lineStatus.none : lineStatus[matter];
  const endedOn: Partial<Record<Matter, string>> = { expired: expires, suspended: suspendedOn };
  const statusDate = isActive ? null : (endedOn[matter] ?? null);

  const license = (
    [licenseClassCode, licenseClassName]: CodeAndName,
    ofNumber: string,
    lines: readonly CodeAndName[],
    written: WrittenRow = {},
  ): WrittenRow => ({
    stateCode,
    licenseNumber: String(1_000_000 + number(`${stateCode} ${ofNumber}`, 9_000_000)),
    licenseClassCode,
    licenseClassName,
    status: isActive ? 'active' : 'inactive',
    // Those of its lines.
    ...(isActive || lines.length === 0 ? {} : { statusReason: ofLines.statusReason, statusDate }),
    residencyStatus: isHome ? 'R' : 'NR',
    issueDate,
    expirationDate: matter === 'pending' ? null : expires,
    linesOfAuthority: lines.map(([code, name], place) => ({
      code,
      name,
      issueDate,
      ...(matter === 'lineEnded' && place > 0 && place === lines.length - 1
        ? { status: 'Inactive', statusReason: 'Surrendered', statusDate: suspendedOn }
        : { ...ofLines, statusDate }),
      ceCompliance: isFirm ? 'not applicable' : 'in compliance',
      ceRenewalDate: isFirm ? null : expires,
      ceCreditsNeeded: isFirm ? null : 0,
    })),
    ...written,
  });

  const lines =
    isFirm && linelessFirms.has(stateCode)
      ? []
      : words.lines.slice(0, 1 + number(`${stateCode} lines`, words.lines.length));
  const licenses = [license(isFirm ? words.entity : words.producer, 'number', lines)];
  // A surplus lines license has no lines.
  if (number(`${stateCode} surplus`, 6) === 0) licenses.push(license(words.surplus, 'surplus number', []));
  if (number(`${stateCode} adjuster`, 10) === 0) {
    licenses.push(license(words.adjuster, 'adjuster number', words.lines.slice(0, 1)));
  }
  if (matter === 'odd') {
    const odd = { status: 'inactive', expirationDate: `${year - 3}-31-12` };
    licenses.push(license(words.producer, 'odd number', lines, odd));
  }

  const isEnded = number(`${stateCode} terminated`, 10) === 0;
  const [[lineOfAuthorityCode, lineOfAuthorityName]] = words.lines;
  const appointment = {
    stateCode,
    ...one(`${stateCode} carrier`, carriers),
    lineOfAuthorityName,
    lineOfAuthorityCode,
    status: isEnded ? 'TERMINATED' : 'APPOINTED',
    terminationReason: isEnded ? 'Cancelled by company - not for cause' : null,
    statusChangeDate: isEnded ? suspendedOn : begun,
    countyCode: stateCode === 'FL' ? '086' : null,
  };
  const order = {
    stateCode,
    actionId: String(10_000 + number(`${stateCode} order`, 9_000)),
    originOfAction: 'Department of Insurance',
    reasonForAction: 'Failure to comply with an order',
    disposition: 'License, Suspended',
    dateOfAction: suspendedOn,
    effectiveDate: suspendedOn,
    enterDate: suspendedOn,
    fileRef: `${stateCode}-${year - 1}-${number(`${stateCode} file`, 10_000)}`,
  };
  return {
    licenses,
    appointments: number(`${stateCode} appointed`, 3) > 0 ? [appointment] : [],
    orders: matter === 'suspended' ? [order] : [],
  };
}

/**
 * The report of an NPN: derived from its digits and the current year alone. NPNs of ten digits that begin with 9 are not found. The
 * others are firms or individuals with licenses in one to eight states, of which the first is the home state. Most are valid until
 * this year's end or the next one's, and one in eight is expired. Of 42 others three are suspended by an order, three applied for,
 * three without a line that they had, and two have a row beside them with a date that nobody can read. Carriers appoint them in some
 * of those states, and one in eight holders has been fined.
 */
export function simulatedReport(npn: string, now: Date): WrittenReport | undefined {
  if (/^9\d{9}$/.test(npn)) return undefined;
  const { number, one } = chooser(npn);
  const year = now.getUTCFullYear();
  const isFirm = number('kind', 2) === 0;
  const firstState = number('state', stateCodes.length);
  // Eleven is prime to the number of jurisdictions, so no state comes twice.
  const codes = Array.from(
    { length: 1 + number('states', 8) },
    (_, index) => stateCodes[(firstState + index * 11) % stateCodes.length] ?? 'TX',
  );
  const [home = 'TX'] = codes;
  const states = codes.map((code, index) => stateOf({ number, one, isFirm, year }, code, index === 0));
  const fine = {
    stateCode: home,
    actionId: String(1_000 + number('action', 9_000)),
    originOfAction: 'Department of Insurance',
    reasonForAction: one('reason', reasons),
    disposition: 'Monetary penalty',
    dateOfAction: '2024-05-02',
    effectiveDate: '2024-05-02',
    enterDate: '2024-05-09',
    fileRef: `${home}-2024-${number('file', 10_000)}`,
    penaltyFineForfeitureInUSD: 250 * (1 + number('penalty', 8)),
  };
  return {
    npn,
    kind: isFirm ? 'firm' : 'individual',
    name: isFirm
      ? `${one('name', firmNames)} ${one('form', firmKinds)}`
      : `${one('first', firstNames)} ${one('last', lastNames)}`,
    licenses: states.flatMap(({ licenses }) => licenses),
    appointments: states.flatMap(({ appointments }) => appointments),
    regulatoryActions: [
      ...states.flatMap(({ orders }) => orders),
      ...(number('actions', 8) === 0 ? [fine] : []),
    ],
  };
}
