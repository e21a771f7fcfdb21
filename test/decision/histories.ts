import * as fc from 'fast-check';
import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { type Answer, decide, type Party } from '../../shared/domain/decision/decide.ts';
import {
  type AppointmentRow,
  type HolderFacts,
  type LicenseRow,
  noFacts,
  type Recording,
} from '../../shared/domain/decision/facts.ts';
import { recordImport, recordLists } from '../../shared/domain/decision/record.ts';
import { beacon, type CaseCommand, type CaseQuestion } from './case-rows.ts';

// Histories of registry lists and imports about few things, on days close to each other, so that rules meet.

/** How many histories a property is tried with. */
export const histories = Number(process.env['DECISION_HISTORIES'] ?? 200);

export type Facts = HolderFacts<LicenseRow, AppointmentRow>;

/** Records one command after another, as the service does. */
export function recordedBy(commands: readonly CaseCommand[], start: Facts = noFacts): Facts {
  return commands
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .reduce((facts, command) => withCommand(facts, command), start);
}

/** The facts with what one more command records. */
export function withCommand(facts: Facts, command: CaseCommand): Facts {
  const { at, recordedAt = at, closedAt = recordedAt } = command;
  const own = { commandId: at, commandAt: at };
  const { licenses, appointments, closings } =
    command.kind === 'list'
      ? recordLists(facts, { licenses: command.licenses, appointments: command.appointments }, own)
      : recordImport(
          facts,
          {
            licenses: (command.licenses ?? []).map(({ validFrom, isDeleted, ...row }) => ({
              row,
              validFrom: validFrom?.slice(0, 10) ?? null,
              isDeleted: isDeleted === true,
            })),
            appointments: (command.appointments ?? []).map(({ isDeleted, ...row }) => ({
              row,
              validFrom: null,
              isDeleted: isDeleted === true,
            })),
          },
          own,
        );
  const written = <One>(one: One): One & Pick<Recording, 'recordedAt'> => ({ ...one, recordedAt });
  return {
    licenses: [...facts.licenses, ...licenses.map(written)],
    appointments: [...facts.appointments, ...appointments.map(written)],
    closings: [
      ...facts.closings,
      ...(closedAt === null ? [] : closings.map((one) => ({ ...one, recordedAt: closedAt }))),
    ],
  };
}

export interface AskedDay {
  readonly day: string;
  readonly knownAt: string;
  readonly stateCode: string;
  readonly party: Party;
}

type Asked<Question> = Question & Partial<Pick<CaseQuestion, 'carrier'>>;

/** The answers of days, by what is recorded. */
export function answering(
  facts: Facts,
  { knownAt, ...asked }: Asked<Omit<AskedDay, 'day'>>,
  configs: CaseQuestion['configs'],
): (day: string) => Answer<LicenseRow, AppointmentRow> {
  const coverage = coverageOf(facts, knownAt);
  return (day) => decide({ carrier: beacon, ...asked, day, knownAt, coverage, configs });
}

export const answerOf = (
  facts: Facts,
  asked: Asked<AskedDay>,
  configs: CaseQuestion['configs'],
): Answer<LicenseRow, AppointmentRow> => answering(facts, asked, configs)(asked.day);

const start = Date.UTC(2026, 0, 1);

const dateOf = (day: number): string => new Date(start + day * 86_400_000).toISOString().slice(0, 10);

/** A day of a year that begins with 2026; most histories are about some weeks of it. */
const dayNumber = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 90 }) },
  { weight: 2, arbitrary: fc.integer({ min: -400, max: 400 }) },
);

export const someDay = dayNumber.map(dateOf);

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });

const stateCode = fc.constantFrom('TX', 'TX', 'TX', 'CA');

const status = fc.constantFrom('active', 'Active', 'inactive', 'Expired', 'suspended');

const line = fc.record({
  code: fc.constantFrom('16', '20'),
  name: fc.constantFrom('Casualty', 'Property'),
  status: fc.constantFrom('active', 'active', 'active', 'inactive'),
});

export const licenseRow: fc.Arbitrary<LicenseRow> = fc.record({
  stateCode,
  licenseNumber: fc.constantFrom('1', '1', '1', '2'),
  licenseClassCode: fc.constant('P'),
  status,
  issueDate: orNull(fc.constantFrom(dateOf(-300), dateOf(-10), dateOf(10), dateOf(40))),
  nextRenewalDate: orNull(someDay),
  expirationDate: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: someDay }),
  linesOfAuthority: fc.uniqueArray(line, { selector: ({ code }) => code, maxLength: 2 }),
} as never) as fc.Arbitrary<LicenseRow>;

export const appointmentRow: fc.Arbitrary<AppointmentRow> = fc.record({
  stateCode,
  carrierName: orNull(fc.constantFrom('Beacon Specialty Insurance Company', 'Other Mutual')),
  ein: orNull(fc.constantFrom('75-1234567', '751234567', '11-1111111')),
  companyCode: orNull(fc.constantFrom('19437', '19437', '99999')),
  lineOfAuthorityCode: orNull(fc.constantFrom('16', '20')),
  lineOfAuthorityName: orNull(fc.constantFrom('Casualty', 'casualty', 'Property')),
  status: fc.constantFrom('active', 'Appointed', 'Appointed', 'Terminated'),
  terminationReason: fc.constantFrom(null, null, null, 'Cause'),
  statusChangeDate: orNull(fc.constantFrom(dateOf(-200), dateOf(5), dateOf(20), dateOf(45))),
  renewalDate: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: someDay }),
  countyName: fc.constantFrom(null, null, null, 'Travis'),
} as never) as fc.Arbitrary<AppointmentRow>;

/** Rows, and some of them as they might be reported at another time. */
const withVariants = <Row extends object>(row: fc.Arbitrary<Row>, changing: readonly (keyof Row)[]) =>
  fc
    .array(fc.tuple(row, fc.option(fc.tuple(row, fc.subarray([...changing])))), {
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
    licenses: withVariants(license, ['status', 'nextRenewalDate', 'expirationDate', 'linesOfAuthority']),
    appointments: withVariants(appointment, [
      'status',
      'terminationReason',
      'statusChangeDate',
      'renewalDate',
    ]),
  });

/** Those of one license and one appointment, which some rows state by the NAIC code and others by the EIN. */
const poolsOfOne = poolsOf(
  licenseRow.map((row) => ({ ...row, stateCode: 'TX', licenseNumber: '1', linesOfAuthority: [] })),
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

interface Draft {
  readonly kind: 'list' | 'import';
  readonly day: number;
  readonly minute: number;
  readonly licenses: readonly { row: LicenseRow; validFrom: string | null; isDeleted: boolean }[];
  readonly appointments: readonly { row: AppointmentRow; isDeleted: boolean }[];
}

const rare = fc.constantFrom(false, false, false, false, false, true);

/** Commands at different times, in any order. */
export const commands: fc.Arbitrary<CaseCommand[]> = pools
  .chain(({ licenses, appointments }) =>
    fc.array(
      fc.record({
        kind: fc.constantFrom('list' as const, 'list' as const, 'import' as const),
        day: fc.integer({ min: 0, max: 90 }),
        minute: fc.integer({ min: 0, max: 1_439 }),
        licenses: fc.array(
          fc.record({
            row: fc.constantFrom(...licenses),
            validFrom: fc.oneof(
              { weight: 3, arbitrary: fc.constant(null) },
              { weight: 1, arbitrary: someDay },
            ),
            isDeleted: rare,
          }),
          { maxLength: 3 },
        ),
        appointments: fc.array(fc.record({ row: fc.constantFrom(...appointments), isDeleted: rare }), {
          maxLength: 3,
        }),
      }),
      { minLength: 1, maxLength: 7 },
    ),
  )
  .map((drafts: readonly Draft[]) =>
    drafts.map(({ kind, day, minute, licenses, appointments }, index): CaseCommand => {
      const at = new Date(start + day * 86_400_000 + minute * 60_000 + index).toISOString();
      return kind === 'list'
        ? {
            kind,
            at,
            licenses: licenses.map(({ row }) => row),
            appointments: appointments.map(({ row }) => row),
          }
        : {
            kind,
            at,
            licenses: licenses.map(({ row, validFrom, isDeleted }) => ({
              ...row,
              ...(validFrom === null ? {} : { validFrom }),
              ...(isDeleted ? { isDeleted } : {}),
            })),
            appointments: appointments.map(({ row, isDeleted }) => ({
              ...row,
              ...(isDeleted ? { isDeleted } : {}),
            })),
          };
    }),
  );

const states = fc.uniqueArray(
  fc.record({
    stateCode: fc.constantFrom('TX' as const, 'CA' as const),
    linesOfAuthority: fc.array(fc.oneof(fc.constantFrom('16', '20'), fc.constant({ anyOf: ['16', '20'] })), {
      maxLength: 2,
    }),
    appointment: fc.constantFrom(
      'required' as const,
      'required' as const,
      'on binding' as const,
      'not required' as const,
    ),
    appointmentOf: fc.constantFrom(undefined, 'both' as const, 'agency' as const, 'agent' as const),
  }),
  { selector: (state) => state.stateCode, maxLength: 2 },
);

const configVersion = fc.record({
  validFrom: someDay,
  recordedAt: fc.integer({ min: 0, max: 90 }).map((day) => `${dateOf(day)}T12:00:00.000Z`),
  states,
});

export const configs = fc.uniqueArray(configVersion, {
  minLength: 1,
  maxLength: 3,
  selector: ({ recordedAt }) => recordedAt,
}) as unknown as fc.Arbitrary<[ConfigVersion, ...ConfigVersion[]]>;

export const asked: fc.Arbitrary<AskedDay> = fc.record({
  day: someDay,
  knownAt: fc.integer({ min: 0, max: 120 }).map((day) => `${dateOf(day)}T23:59:59.999Z`),
  stateCode: fc.constantFrom('TX', 'TX', 'CA'),
  party: fc.constantFrom('agency' as const, 'agent' as const),
});
