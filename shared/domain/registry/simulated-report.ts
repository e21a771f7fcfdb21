import { createHash } from 'node:crypto';
import { stateCodes } from '../../platform/contract/primitives.ts';

// Reports like those of the registry, made up: with the class names and codes of several kinds of states, and with what real ones
// have now and then, such as a suspended license, one that is applied for, or a row with a date that cannot be read.

type Content = string | number | null | readonly string[];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An element with text, or with other elements. */
const element = (name: string, content: Content): string =>
  `<${name}>${Array.isArray(content) ? content.join('') : escaped(String(content ?? ''))}</${name}>`;

const elements = (fields: Readonly<Record<string, Content>>): string[] =>
  Object.entries(fields).map(([name, content]) => element(name, content));

const stateElement = (code: string, content: readonly string[]): string =>
  `<STATE name="${code}">${content.join('')}</STATE>`;

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

/** A date as the registry writes it. */
const dateOf = (year: number, month: number, day: number): string => {
  const [date = ''] = new Date(Date.UTC(year, month, day)).toISOString().split('T');
  return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
};

const noEnd = '12/31/9999';

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
  { COMPANY_NAME: 'Beacon Specialty Insurance Company', COCODE: '019437', FEIN: '75-1234567' },
  { COMPANY_NAME: 'Keystone Surety Company', COCODE: '022314', FEIN: '23-7654321' },
  { COMPANY_NAME: 'Prairie Mutual Insurance Company', COCODE: '10847', FEIN: '36-2223334' },
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
  Record<Matter, { readonly STATUS: string; readonly STATUS_REASON: string | null }>
> = {
  none: { STATUS: 'Active', STATUS_REASON: null },
  odd: { STATUS: 'Active', STATUS_REASON: null },
  lineEnded: { STATUS: 'Active', STATUS_REASON: null },
  expired: { STATUS: 'Inactive', STATUS_REASON: 'Expired' },
  suspended: { STATUS: 'Inactive', STATUS_REASON: 'Suspended' },
  pending: { STATUS: 'Pending', STATUS_REASON: null },
};

/** What a made-up report rests on. */
interface Made extends ReturnType<typeof chooser> {
  readonly isFirm: boolean;
  readonly year: number;
}

/** What the report says of a state: licenses with appointments, and the order that suspends them. */
function stateOf({ number, one, isFirm, year }: Made, stateCode: string, isHome: boolean) {
  const suspendedOn = dateOf(year - 1, 10, 3);
  const words = vocabularyOf(stateCode);
  const isExpired = number(`${stateCode} expired`, 8) === 0;
  const matter = isExpired ? 'expired' : matterOf(number(`${stateCode} matter`, 42));
  const renewalYear = isExpired ? year - 1 : year + number(`${stateCode} term`, 2);
  // The last day of a month: day 0 of the next one. A live license ends in December.
  const month = isExpired ? number(`${stateCode} month`, 12) : 11;
  const expires = dateOf(renewalYear, month + 1, 0);
  const issued = dateOf(2012 + number(`${stateCode} issued`, 10), number(`${stateCode} issue month`, 12), 1);
  // As in the registry, half of the expired licenses still show as active.
  const isActive = isExpired
    ? number(`${stateCode} shown`, 2) === 0
    : !['suspended', 'pending'].includes(matter);
  const status = isExpired && isActive ? lineStatus.none : lineStatus[matter];
  const endedOn = { expired: expires, suspended: suspendedOn } as Partial<Record<Matter, string>>;

  const license = (
    [code, name]: CodeAndName,
    ofNumber: string,
    lines: readonly CodeAndName[],
    written: Readonly<Record<string, Content>> = {},
  ): string =>
    element('LICENSE', [
      ...elements({
        LICENSE_NUM: String(1_000_000 + number(`${stateCode} ${ofNumber}`, 9_000_000)),
        DATE_UPDATED: suspendedOn,
        DATE_ISSUE_LICENSE_ORIG: matter === 'pending' ? null : issued,
        DATE_EXPIRE_LICENSE: matter === 'pending' ? null : expires,
        LICENSE_CLASS: name,
        LICENSE_CLASS_CODE: code,
        RESIDENCY_STATUS: isHome ? 'R' : 'NR',
        ACTIVE: isActive ? 'Yes' : 'No',
        ...written,
      }),
      element(
        'DETAILS',
        lines.map(([lineCode, lineName], place) => {
          const isEnded = matter === 'lineEnded' && place > 0 && place === lines.length - 1;
          const reasonDate = isActive ? null : (endedOn[matter] ?? null);
          return element(
            'DETAIL',
            elements({
              LOA: lineName,
              LOA_CODE: lineCode,
              AUTHORITY_ISSUE_DATE: matter === 'pending' ? null : issued,
              ...(isEnded ? { STATUS: 'Inactive', STATUS_REASON: 'Surrendered' } : status),
              STATUS_REASON_DATE: isEnded ? suspendedOn : reasonDate,
              CE_COMPLIANCE: isFirm ? 'N/A' : 'IN COMPLIANCE',
              CE_RENEWAL_DATE: isFirm ? null : expires,
              CE_CREDITS_NEEDED: isFirm ? null : 0,
            }),
          );
        }),
      ),
    ]);

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
    licenses.push(
      license(words.producer, 'odd number', lines, {
        ACTIVE: 'No',
        DATE_EXPIRE_LICENSE: `31/12/${year - 3}`,
      }),
    );
  }

  const isEnded = number(`${stateCode} terminated`, 10) === 0;
  const [[lineCode, lineName]] = words.lines;
  const appointment = element(
    'APPOINTMENT',
    elements({
      ...one(`${stateCode} carrier`, carriers),
      LINE_OF_AUTHORITY: lineName,
      LOA_CODE: lineCode,
      STATUS: isEnded ? 'TERMINATED' : 'APPOINTED',
      TERMINATION_REASON: isEnded ? 'Cancelled by company - not for cause' : null,
      STATUS_REASON_DATE: isEnded ? suspendedOn : issued,
      APPONT_RENEWAL_DATE: isEnded ? null : noEnd,
      COUNTY_CODE: stateCode === 'FL' ? '086' : null,
    }),
  );
  const isAppointed = number(`${stateCode} appointed`, 3) > 0;
  const order = {
    ACTION_ID: String(10_000 + number(`${stateCode} order`, 9_000)),
    ORIGIN_OF_ACTION: 'Department of Insurance',
    REASON_FOR_ACTION: 'Failure to comply with an order',
    DISPOSITION: 'License, Suspended',
    DATE_OF_ACTION: suspendedOn,
    EFFECTIVE_DATE: suspendedOn,
    ENTER_DATE: suspendedOn,
    FILE_REF: `${stateCode}-${year - 1}-${number(`${stateCode} file`, 10_000)}`,
    PENALTY_FINE_FORFEITURE: null,
    LENGTH_OF_ORDER: null,
  };
  return {
    stateCode,
    content: [...licenses, ...(isAppointed ? [element('APPOINTMENT_INFORMATION', [appointment])] : [])],
    orders: matter === 'suspended' ? [order] : [],
  };
}

/** The report of an NPN that the registry does not find. */
const notFound = element('PDB', [element('ERROR', [element('DESCRIPTION', 'The entity was not found.')])]);

/**
 * The report of an NPN, as XML: derived from its digits and the current year alone. NPNs of ten digits that begin with 9 are not
 * found. The others are firms or individuals with licenses in one to eight states, of which the first is the home state. Most are
 * valid until this year's end or the next one's, and one in eight is expired. Of 42 others three are suspended by an order, three
 * applied for, three without a line that they had, and two have a row beside them with a date that nobody can read. Carriers
 * appoint them in some of those states, and one in eight holders has been fined.
 */
export function simulatedReport(npn: string, now: Date): string {
  if (/^9\d{9}$/.test(npn)) return notFound;
  const { number, one } = chooser(npn);
  const year = now.getUTCFullYear();
  const isFirm = number('kind', 2) === 0;
  const firstState = number('state', stateCodes.length);
  const states = Array.from({ length: 1 + number('states', 8) }, (_, index) => {
    // Eleven is prime to the number of jurisdictions, so no state comes twice.
    const stateCode = stateCodes[(firstState + index * 11) % stateCodes.length] ?? 'TX';
    return stateOf({ number, one, isFirm, year }, stateCode, index === 0);
  });

  const [home] = states;
  const fine =
    home === undefined || number('actions', 8) > 0
      ? []
      : [
          stateElement(
            home.stateCode,
            elements({
              ACTION_ID: String(1_000 + number('action', 9_000)),
              ORIGIN_OF_ACTION: 'Department of Insurance',
              REASON_FOR_ACTION: one('reason', reasons),
              DISPOSITION: 'Monetary penalty',
              DATE_OF_ACTION: '05/02/2024',
              EFFECTIVE_DATE: '05/02/2024',
              ENTER_DATE: '05/09/2024',
              FILE_REF: `${home.stateCode}-2024-${number('file', 10_000)}`,
              PENALTY_FINE_FORFEITURE: `$${250 * (1 + number('penalty', 8))}.00`,
              LENGTH_OF_ORDER: null,
            }),
          ),
        ];

  const names = isFirm
    ? { NAME_COMPANY: `${one('name', firmNames)} ${one('form', firmKinds)}` }
    : { NAME_FIRST: one('first', firstNames), NAME_LAST: one('last', lastNames) };
  return element('PDB', [
    element('TRANSACTION_TYPE', [element('TYPE', 'PDB')]),
    element('ERROR', [element('DESCRIPTION', null)]),
    element('PRODUCER', [
      element(isFirm ? one('element', ['FIRM', 'AGENCY']) : 'INDIVIDUAL', [
        element('ENTITY_BIOGRAPHIC', [element('BIOGRAPHIC', elements({ ...names, NPN: npn }))]),
        element('PRODUCER_LICENSING', [
          element(
            'LICENSE_INFORMATION',
            states.map(({ stateCode, content }) => stateElement(stateCode, content)),
          ),
          element('REGULATORY_ACTION', [
            ...states.flatMap(({ stateCode, orders }) =>
              orders.map((order) => stateElement(stateCode, elements(order))),
            ),
            ...fine,
          ]),
        ]),
      ]),
    ]),
  ]);
}
