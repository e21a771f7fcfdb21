import * as fc from 'fast-check';
import type { WritingCompany } from '#domain/decision/carrier.ts';
import type { ClassKindVersion } from '#domain/decision/classes.ts';
import type { ConfigVersion } from '#domain/decision/compliance-config.ts';
import { type Coverage, coverageFrom, coverageOf, emptyState } from '#domain/decision/coverage.ts';
import { type Answer, decideParty, type Party } from '#domain/decision/decide.ts';
import { isAgainst } from '#domain/decision/reasons.ts';
import type {
  ActionRow,
  AppointmentRow,
  HolderRecords,
  LicenseRow,
  LineRow,
} from '#domain/decision/records.ts';
import { headOf, stateOfHead } from '#domain/registry-records/heads.ts';
import { lazily } from '#platform/contract/lazily.ts';
import type { CaseCommand, CaseQuestion } from './case-rows.ts';

// Histories of reports and imports about few things, on days close to each other, so that rules meet.

const { DECISION_HISTORIES: tries, DECISION_SEED: seed = tries === undefined ? '42' : undefined } =
  process.env;

/**
 * Tries a property with so many histories: those of `npm test` are the same each time. One that it does not hold for is printed
 * with the seed, by which it is found again.
 */
export const holds = <Values>(property: fc.IProperty<Values>, numRuns = 300): void =>
  fc.assert(property, {
    numRuns: tries === undefined ? numRuns : Number(tries),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });

/** What is known at a moment, by what was said of classes until then. */
export const coverageAt = (
  records: HolderRecords,
  knownAt: string,
  classKinds: readonly ClassKindVersion[] = [],
): Coverage => coverageOf(records, knownAt, classKinds);

/** What is read again of what was written. */
export const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** What is known of a holder, as its heads have it after they were written and read. */
export function byHeads(folded: Coverage): Coverage {
  const states = new Map(
    Array.from(folded.keys(), (state) => {
      const known = folded.get(state) ?? emptyState;
      return [state, lazily(() => ({ ...known, ...stateOfHead(stored(headOf(known))) }))] as const;
    }),
  );
  const homes = () => Array.from(states.values(), (head) => head());
  const { classKinds, isNotFound, isHomeUnread, verifiedAt, get } = folded;
  const read = coverageFrom({ states, homes, classKinds, reports: [] });
  const ofState: typeof get = (state) => (states.has(state) ? read.get(state) : get(state));
  return { ...read, isNotFound, isHomeUnread, verifiedAt, get: ofState };
}

/** Each once, in the order of the alphabet. */
export const texts = (ones: readonly string[]): string[] => [...new Set(ones)].toSorted();

/** The reasons of an answer by their codes, those that say that something is not known with a question mark. */
export const reasonsOf = ({ reasons }: Pick<Answer, 'reasons'>): string[] =>
  texts(reasons.map((reason) => (isAgainst(reason) ? reason.code : `${reason.code}?`)));

export interface AskedDay {
  readonly day: string;
  readonly knownAt: string;
  readonly stateCode: string;
  readonly party: Party;
  readonly carrier: CaseQuestion['carrier'];
  readonly company?: WritingCompany;
  readonly classKinds?: readonly ClassKindVersion[];
  /** Of a sale on the day: the day until which it is looked at what became of it. */
  readonly saleSeenOn?: string;
}

/** The answers of days, by what is recorded. */
export function answering(
  records: HolderRecords,
  { knownAt, classKinds = [], ...asked }: Omit<AskedDay, 'day'>,
  configs: CaseQuestion['configs'],
): (day: string) => Answer {
  const coverage = coverageAt(records, knownAt, classKinds);
  return (day) => decideParty({ ...asked, day, knownAt, coverage, configs });
}

export const answerOf = (records: HolderRecords, asked: AskedDay, configs: CaseQuestion['configs']): Answer =>
  answering(records, asked, configs)(asked.day);

const start = Date.UTC(2026, 0, 1);

export const dateOf = (day: number): string => new Date(start + day * 86_400_000).toISOString().slice(0, 10);

/** A day of a year that begins with 2026; most histories are about some weeks of it. */
const dayNumber = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 90 }) },
  { weight: 2, arbitrary: fc.integer({ min: -400, max: 400 }) },
);

export const someDay = dayNumber.map(dateOf);

/** One of some values, as likely as they are often there. */
const oneOf = <Value>(...values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });

const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const stateCode = oneOf('TX', 'TX', 'TX', 'CA');

/** One of some texts, which stand one after another. */
const anyOf = (texts: string) => oneOf(...texts.split(', '));

/** The parts of one of some texts, null where they are empty. */
const partsOf = (texts: string) => anyOf(texts).map((text) => text.split('/').map((part) => part || null));

const line: fc.Arbitrary<LineRow> = fc
  .record({
    code: oneOf('16', '16', '20', '20', ''),
    name: oneOf('Casualty', 'Property', 'CASUALTY'),
    status: oneOf('active', 'active', 'active', 'active', 'inactive', 'Nullified'),
    issueDate: orNull(oneOf(dateOf(-200), dateOf(8), dateOf(30))),
    statusDate: seldom(oneOf(dateOf(12), dateOf(35))),
    ceCompliance: oneOf(null, null, null, 'in compliance' as const, 'not in compliance' as const),
  })
  .map((one) => ({ ...one, statusReason: null, ceCreditsNeeded: null, ceRenewalDate: null }));

export const licenseRow: fc.Arbitrary<LicenseRow> = fc
  .record({
    stateCode,
    licenseNumber: oneOf('1', '1', '1', '01', '2'),
    licenseClass: partsOf(
      'P/Producer, P/Producer, P/Producer, P/, /, /Insurance Producer, /Adjuster, ADJ/Adjuster, SL/Surplus Lines Broker, X/Frobnicator',
    ),
    status: anyOf(
      'active, active, active, active, Active, IN-FORCE, Active - Renewal Pending, inactive, Expired, suspended, Revoked, Pending, Nullified, Active/Suspended',
    ),
    statusDate: seldom(oneOf(dateOf(3), dateOf(18), dateOf(45))),
    residencyStatus: oneOf('resident' as const, 'resident' as const, 'non-resident' as const),
    issueDate: orNull(oneOf(dateOf(-300), dateOf(-10), dateOf(10), dateOf(40))),
    nextRenewalDate: orNull(someDay),
    expirationDate: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: someDay }),
    linesOfAuthority: fc.uniqueArray(line, { selector: ({ code, name }) => `${code} ${name}`, maxLength: 2 }),
  })
  .map(
    ({ licenseClass: [licenseClassCode, licenseClassName], ...row }): LicenseRow =>
      ({ ...row, licenseClassCode, licenseClassName, statusReason: null }) as LicenseRow,
  )
  .map((row) => endingLater(row));

const companies = [
  'Beacon Specialty Insurance Company/75-1234567/19437',
  'Beacon Specialty Insurance Company//19437',
  'Beacon Specialty Insurance Company/751234567/',
  'BEACON SPECIALTY INS. CO.//',
  '//019437',
  'Beacon Lloyds/22-2222222/10847',
  'Beacon Lloyds//',
  'Other Mutual/11-1111111/99999',
  'Other Mutual//',
  '/75-1234567/99999',
].join(', ');

const appointmentRow: fc.Arbitrary<AppointmentRow> = fc
  .record({
    stateCode,
    company: partsOf(companies),
    line: partsOf('/, /, 16/, 16/Casualty, /casualty, 20/, /Property, /All Lines'),
    status: anyOf(
      'active, Appointed, Appointed, Appointed, APPROVED, Terminated, Terminated, Expired, Pending, Rejected, Nullified',
    ),
    terminationReason: oneOf(null, null, null, null, 'Cause', 'Not for cause', 'N/A'),
    statusChangeDate: orNull(oneOf(dateOf(-200), dateOf(5), dateOf(20), dateOf(45))),
    effectiveDate: seldom(oneOf(dateOf(-250), dateOf(10))),
    renewalDate: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: someDay }),
    countyName: oneOf(null, null, null, null, 'Travis', 'TRAVIS', 'Miami-Dade'),
  })
  .map(
    ({
      company: [carrierName, ein, companyCode],
      line: [lineOfAuthorityCode, lineOfAuthorityName],
      ...row
    }) =>
      ({
        ...row,
        carrierName,
        ein,
        companyCode,
        lineOfAuthorityCode,
        lineOfAuthorityName,
        countyCode: null,
      }) as AppointmentRow,
  );

/** A license does not end before it begins. */
function endingLater(row: LicenseRow): LicenseRow {
  const after = (day: string | null) => (day === null || day < (row.issueDate ?? '') ? null : day);
  return {
    ...row,
    nextRenewalDate: after(row.nextRenewalDate),
    expirationDate: after(row.expirationDate),
  };
}

/** Rows, and some of them as they might be reported at another time. */
const withVariants = <Row extends object>(row: fc.Arbitrary<Row>, changing: string) =>
  fc
    .array(fc.tuple(row, fc.option(fc.tuple(row, fc.subarray(changing.split(', ') as (keyof Row)[])))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((rows) =>
      rows.flatMap(([one, variant]): Row[] => {
        if (variant === null) return [one];
        const [other, changed] = variant;
        return [one, { ...one, ...Object.fromEntries(changed.map((name) => [name, other[name]])) }];
      }),
    );

/** Rows that come again and again, so that commands speak of the same things. */
const poolsOf = (license: fc.Arbitrary<LicenseRow>, appointment: fc.Arbitrary<AppointmentRow>) =>
  fc.record({
    licenses: withVariants(
      license,
      'status, statusDate, nextRenewalDate, expirationDate, linesOfAuthority, licenseNumber',
    ).map((rows) => rows.map(endingLater)),
    appointments: withVariants(
      appointment,
      'status, terminationReason, statusChangeDate, effectiveDate, lineOfAuthorityCode, lineOfAuthorityName, countyName',
    ),
  });

/** Those of one license and one appointment, which some rows state by the NAIC code and others by the EIN. */
const poolsOfOne = poolsOf(
  licenseRow.map((row) => ({
    ...row,
    stateCode: 'TX',
    licenseNumber: '1',
    licenseClassCode: 'P',
    licenseClassName: 'Producer',
    residencyStatus: 'resident',
    linesOfAuthority: [],
  })),
  fc.tuple(appointmentRow, fc.constantFrom('19437', null)).map(([row, companyCode]) => ({
    ...row,
    stateCode: 'TX',
    carrierName: 'Beacon Specialty Insurance Company',
    ein: '75-1234567',
    companyCode,
    lineOfAuthorityCode: null,
    lineOfAuthorityName: null,
    countyName: null,
  })),
);

const pools = fc.oneof(
  { weight: 2, arbitrary: poolsOf(licenseRow, appointmentRow) },
  { weight: 1, arbitrary: poolsOfOne },
);

const rare = fc.constantFrom(false, false, false, false, false, true);

const action: fc.Arbitrary<ActionRow> = fc.record({
  stateCode,
  actionId: oneOf('1', '2'),
  disposition: oneOf(
    'License, Suspended',
    'Revocation',
    'Suspension stayed',
    'Cease and Desist',
    'Fine suspended',
    null,
  ),
  dateOfAction: seldom(someDay),
  effectiveDate: orNull(someDay),
  enterDate: seldom(someDay),
  lengthOfOrderInDays: oneOf(null, 0, 10, 45),
}) as fc.Arbitrary<ActionRow>;

const unread = fc.record({
  kind: oneOf('license' as const, 'appointment' as const),
  stateCode: fc.option(stateCode, { nil: null, freq: 5 }),
});

const sale: fc.Arbitrary<CaseCommand> = fc
  .record({
    stateCode,
    transactionId: oneOf('1', '2', '3'),
    day: someDay,
    lines: fc.constant([]),
    carrierNaicCode: oneOf(undefined, '19437', '10847', '019437'),
  })
  .map((one) => stored({ kind: 'sale' as const, sale: one })) as fc.Arbitrary<CaseCommand>;

const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(arbitrary, { minLength: 1, maxLength: 2 }) },
  );

const rowsOf = <Row>(rows: readonly Row[]) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...rows), rare)
      .map(([row, isDeleted]) => (isDeleted ? { ...row, isDeleted } : row)),
    { maxLength: 3 },
  );

const stated = <Row extends object>(rows: readonly Row[]): Row[] =>
  rows.filter((row) => !('isDeleted' in row));

/** Commands at different times, in any order, about rows of a pool. */
const commandsAbout = (pool: typeof pools): fc.Arbitrary<CaseCommand[]> =>
  pool
    .chain(({ licenses, appointments }) =>
      fc.tuple(
        fc.array(
          fc.record({
            kind: oneOf('report', 'report', 'report', 'import', 'import', 'complete import'),
            isNotFound: fc.integer({ min: 0, max: 24 }).map((one) => one === 0),
            day: fc.integer({ min: 0, max: 90 }),
            minute: fc.integer({ min: 0, max: 1_439 }),
            /** Days after which it was recorded. */
            delay: oneOf(0, 0, 0, 0, 3, 40),
            licenses: rowsOf(licenses),
            appointments: rowsOf(appointments),
            actions: sometimes(action).map((all) => [
              ...new Map(all.map((one) => [`${one.stateCode} ${one.actionId}`, one])).values(),
            ]),
            unread: sometimes(unread),
          }),
          { minLength: 1, maxLength: 7 },
        ),
        fc.array(sale, { maxLength: 2 }),
      ),
    )
    .map(([drafts, sales]) => [
      ...drafts.map(({ kind, isNotFound, day, minute, delay, unread, ...rows }, index): CaseCommand => {
        const timeOf = (after: number): string =>
          new Date(start + (day + after) * 86_400_000 + minute * 60_000 + index).toISOString();
        const moments = { at: timeOf(0), recordedAt: timeOf(delay) };
        if (isNotFound) return { kind: 'not found', ...moments };
        if (kind !== 'report')
          return { kind: 'import', ...moments, ...rows, ...(kind === 'import' ? {} : { isComplete: true }) };
        const { licenses, appointments, actions } = rows;
        return {
          kind,
          ...moments,
          licenses: stated(licenses),
          appointments: stated(appointments),
          actions,
          unread,
        };
      }),
      ...sales,
    ]);

export const commands = commandsAbout(pools);

/** Those about one license and one appointment. */
export const commandsOfOne = commandsAbout(poolsOfOne);

const entries = fc.array(fc.oneof(fc.constantFrom('16', '20'), fc.constant({ anyOf: ['16', '20'] })), {
  maxLength: 2,
});

const optional = <Value>(...values: readonly Value[]) => oneOf(undefined, undefined, ...values);

const furtherLicense = fc.record({
  licenseClasses: oneOf(['SL'], ['Adjuster', 'SL'], ['Surplus Lines Broker', 'X']),
  linesOfAuthority: optional(['16'], ['16', '20'], [{ anyOf: ['16', '20'] }]),
});

const rule = fc.record({
  linesOfAuthority: entries,
  licenseClasses: optional(['P'], ['Adjuster', 'SL']),
  appointment: oneOf(
    'required' as const,
    'required' as const,
    'on binding' as const,
    'not required' as const,
  ),
  appointWithinDays: optional(null, 0, 15, 45),
  appointmentOf: optional('both' as const, 'agency' as const, 'agent' as const, 'either' as const),
  appointmentBy: optional('company' as const, 'group' as const),
  licenseOf: optional('agency' as const, 'agent' as const),
  homeState: optional('ignored' as const, 'known' as const),
  carrierNaicCodes: optional(['10847'], ['19437', '10847']),
  furtherLicenses: fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(furtherLicense, { minLength: 1, maxLength: 2 }) },
  ),
  agency: optional({ linesOfAuthority: [] }, { linesOfAuthority: ['16', '20'] }, { licenseClasses: ['P'] }),
});

const ofState = fc
  .tuple(rule, oneOf('TX' as const, 'TX' as const, 'CA' as const))
  .map(([one, state]) => ({ ...one, stateCode: state }));

const configVersion = fc.record({
  validFrom: someDay,
  recordedAt: fc.integer({ min: 0, max: 90 }).map((day) => `${dateOf(day)}T12:00:00.000Z`),
  states: fc.uniqueArray(ofState, { selector: (state) => state.stateCode, minLength: 1, maxLength: 2 }),
  otherStates: optional({ linesOfAuthority: [], appointment: 'not required' as const }),
  carrierNaicCodes: optional(['19437', '10847']),
});

export const configs = fc
  .uniqueArray(configVersion, { minLength: 1, maxLength: 3, selector: ({ recordedAt }) => recordedAt })
  .map(stored) as unknown as fc.Arbitrary<[ConfigVersion, ...ConfigVersion[]]>;

const carriers = oneOf(
  { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['75-1234567'] },
  {
    name: 'Beacon Specialty',
    naicCodes: ['19437', { code: '10847', from: dateOf(20), until: dateOf(60) }],
    eins: [],
  },
  { name: 'Beacon Specialty', naicCodes: [], eins: [] },
  { name: 'Beacon Specialty', naicCodes: [], eins: ['75-1234567', '22-2222222'] },
);

const classKinds: fc.Arbitrary<ClassKindVersion[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ClassKindVersion[]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc
        .record({
          stateCode,
          class: partsOf('/, X/, /Frobnicator, P/'),
          kind: oneOf('producer' as const, 'adjuster' as const),
          day: fc.integer({ min: 0, max: 90 }),
          isOwn: fc.boolean(),
        })
        .map(({ class: [classCode, className], day, ...one }) => ({
          ...one,
          classCode,
          className,
          recordedAt: `${dateOf(day)}T12:00:00.000Z`,
        })),
      { minLength: 1, maxLength: 2 },
    ) as fc.Arbitrary<ClassKindVersion[]>,
  },
);

export const asked: fc.Arbitrary<AskedDay> = fc
  .record({
    day: someDay,
    knownAt: fc.integer({ min: 0, max: 120 }).map((day) => `${dateOf(day)}T23:59:59.999Z`),
    stateCode: oneOf('TX', 'TX', 'TX', 'CA'),
    party: oneOf('agency' as const, 'agent' as const),
    carrier: carriers,
    company: optional(
      { naicCode: '10847' },
      { naicCode: '99999' },
      { name: 'Beacon Lloyds' },
      { name: 'Nobody' },
    ),
    classKinds,
  })
  .map(stored) as fc.Arbitrary<AskedDay>;
