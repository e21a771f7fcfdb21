import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { appointmentList, type CarrierList, licenseList } from '#domain/carrier-lists/rows.ts';
import { coverageOf, emptyState, rowsInForce } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { type Answer, decideParty, nextAnswerOn, requirementOf } from '#domain/decision/decide.ts';
import {
  distinctRows,
  type HolderRecords,
  type LicenseRow,
  type RecordedStatement,
  type RecordKind,
} from '#domain/decision/records.ts';
import {
  decidePolicy,
  decideSale,
  goodUntilOf,
  rememberingPolicies,
  type SaleParty,
} from '#domain/decision/sale.ts';
import { headOf } from '#domain/registry-records/heads.ts';
import type { StoredRecords } from '#domain/registry-records/stored-records.ts';
import { addDays, datesFrom } from '#platform/dates/dates.ts';
import { type CaseCommand, type CaseQuestion, recordedBy } from './case-rows.ts';
import {
  type AskedDay,
  answering,
  asked,
  byHeads,
  commands,
  configs,
  coverageAt,
  holds,
  reasonsOf,
  someDay,
  stored,
} from './histories.ts';

// What holds of every answer, whatever is recorded (OpenAPI, "How compliance is decided").

type Configs = CaseQuestion['configs'];

/** What is said, without the rows. */
const said = ({ verdict, licenseStatus, appointmentStatus, configBasis, ...answer }: Answer) => ({
  verdict,
  licenseStatus: licenseStatus.statusName,
  appointmentStatus: appointmentStatus.statusName,
  reasons: reasonsOf(answer),
  configBasis,
});

/** The asked day, and those on which what is recorded may come to something else: each that is written in it, and its neighbors. */
function daysOf(recorded: readonly HolderRecords[], { day }: AskedDay): string[] {
  const written = recorded.flatMap((records) => JSON.stringify(records).match(/\d{4}-\d\d-\d\d/g) ?? []);
  const days = [...new Set(written)].flatMap((one) => [addDays(one, -1), one, addDays(one, 1)]);
  return [...new Set(['2000-01-01', day, ...days])].sort();
}

/** Expects the same of a day. Jest's own comparison takes longer than a decision, and is left to what differs. */
function expectOn(day: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect([day, actual]).toEqual([day, expected]);
}

/** Some days from one until another: the first and the last ones, and one of each week. */
const someOf = (from: string, until: string): string[] =>
  datesFrom(from, until).filter(
    (_day, index, { length }) => index < 3 || index >= length - 3 || index % 7 === 0,
  );

/** Expects the same answers of two records for every day. */
function expectSame(one: HolderRecords, other: HolderRecords, question: AskedDay, versions: Configs): void {
  const [ofOne, ofOther] = [answering(one, question, versions), answering(other, question, versions)];
  for (const day of daysOf([one, other], question)) expectOn(day, said(ofOne(day)), said(ofOther(day)));
}

/** The commands with rows as a change makes them. */
const withRows = (
  history: readonly CaseCommand[],
  change: <Row extends object>(rows: readonly Row[]) => readonly Row[],
): CaseCommand[] =>
  history.map((command) => {
    if (command.kind !== 'report' && command.kind !== 'import') return command;
    const { licenses = [], appointments = [], actions = [] } = command;
    return {
      ...command,
      licenses: change(licenses),
      appointments: change(appointments),
      actions: change(actions),
    } as CaseCommand;
  });

/** The commands, each with an id of its own, at the same moment as others of its day. */
const ofOneMoment = (history: readonly CaseCommand[]): CaseCommand[] =>
  history.map((command, index) => {
    if (command.kind === 'sale') return command;
    const { at, recordedAt = at } = command;
    const [day, recordedDay] = [at.slice(0, 10), recordedAt.slice(0, 10)];
    return {
      ...command,
      id: `${index}`,
      at: `${day}T15:00:00.000Z`,
      recordedAt: `${recordedDay}T15:00:00.000Z`,
    };
  });

describe('An answer', () => {
  it('does not depend on the order of rows, and of commands of one moment', () =>
    holds(
      fc.property(commands, asked, configs, (history, question, versions) => {
        const one = ofOneMoment(history);
        const turned = withRows(one, (rows) => rows.toReversed()).toReversed();
        expectSame(recordedBy(one), recordedBy(turned), question, versions);
      }),
    ));

  it('does not depend on how an import is cut into calls', () =>
    holds(
      fc.property(
        commands,
        fc.array(fc.nat(3), { minLength: 3 }),
        asked,
        configs,
        (history, cuts, question, versions) => {
          const whole = ofOneMoment(history);
          const calls = whole.flatMap((command): CaseCommand[] => {
            if (command.kind !== 'import') return [command];
            const { isComplete, ...partial } = command;
            const ofCall = (call: number) =>
              withRows([partial], (rows) => rows.filter((_, index) => cuts[index % cuts.length] === call));
            // The last call of a complete import has all that it is complete for.
            return isComplete ? [...ofCall(0), command] : [0, 1, 2, 3].flatMap(ofCall);
          });
          expectSame(recordedBy(whole), recordedBy(calls), question, versions);
        },
      ),
    ));

  it('does not depend on whether what is stated again is stored in full', () =>
    holds(
      fc.property(commands, asked, configs, (history, question, versions) => {
        const again = history.flatMap((command) => [command, oneHourLater(command)]);
        expectSame(recordedBy(again), storedInFull(again), question, versions);
      }),
    ));

  it('is the same by heads as they are stored', () =>
    holds(
      fc.property(commands, asked, configs, (history, { party, classKinds, ...question }, versions) => {
        const records = recordedBy(history);
        const coverage = coverageAt(records, question.knownAt, classKinds);
        const ofHeads = byHeads(coverage);
        for (const day of daysOf([records], { ...question, party })) {
          const [folded, read] = [coverage, ofHeads].map((one) =>
            decideParty({ ...question, day, party, coverage: one, configs: versions }),
          );
          expectOn(
            day,
            read && { ...said(read), basis: read.basis },
            folded && { ...said(folded), basis: folded.basis },
          );
        }
      }),
    ));

  it('does not change with what is recorded after the moment whose knowledge counts', () =>
    holds(
      fc.property(commands, asked, configs, (history, question, versions) => {
        const known = history.filter(
          (command) => command.kind === 'sale' || (command.recordedAt ?? command.at) <= question.knownAt,
        );
        expectSame(recordedBy(history), recordedBy(known), question, versions);
      }),
    ));

  it('does not depend on how numbers, codes, counties, statuses, and dates are spelled', () =>
    holds(
      fc.property(commands, asked, configs, (history, question, versions) =>
        expectSame(recordedBy(history), recordedBy(withRows(history, respelled)), question, versions),
      ),
    ));

  it('is the same on each day before the next one on which it may change', () =>
    holds(
      fc.property(commands, asked, configs, (history, question, versions) => {
        const coverage = coverageAt(recordedBy(history), question.knownAt, question.classKinds);
        const answerOn = (day: string) => decideParty({ ...question, day, coverage, configs: versions });
        // From the asked day on, from one change to the next.
        for (let [day, changes] = [question.day, 0]; changes < 6; changes += 1) {
          const first = answerOn(day);
          const next =
            nextAnswerOn([coverage], { ...question, day, configs: versions }, first) ?? addDays(day, 60);
          for (const one of someOf(day, next)) expectOn(one, said(answerOn(one)), said(first));
          day = next;
        }
      }),
    ));

  it('is good until the last day of the same verdict', () =>
    holds(
      fc.property(commands, commands, asked, configs, (ofAgency, ofAgent, question, versions) => {
        const parties = partiesOf(ofAgency, ofAgent, question);
        const saleOn = (day: string) => decideSale(saleOf(parties, { ...question, day }, versions));
        const answer = saleOn(question.day);
        const { verdict } = answer;
        const goodUntil = goodUntilOf(saleOf(parties, question, versions), answer);
        const last = goodUntil ?? addDays(question.day, 500);
        for (const day of someOf(question.day, addDays(last, 1))) expectOn(day, saleOn(day).verdict, verdict);
        if (goodUntil !== null) expect(saleOn(addDays(goodUntil, 1)).verdict).not.toBe(verdict);
      }),
    ));

  it('is the same as a status, in a sale check, in a list of sellers, and in the book', () =>
    holds(
      fc.property(commands, commands, asked, configs, (ofAgency, ofAgent, question, versions) => {
        const parties = partiesOf(ofAgency, ofAgent, question);
        const decide = rememberingPolicies();
        const days = daysOf([recordedBy(ofAgency), recordedBy(ofAgent)], question);
        for (const day of days.filter((_day, index) => index % 4 === 0)) {
          const asking = { ...question, day };
          const sale = saleOf(parties, asking, versions);
          const { productId, configs: ofProduct, ...policy } = sale;
          const products = [{ productId, configs: ofProduct }];
          const asPolicy = { ...policy, products, named: 'one', policiesNameAgents: true } as const;
          const { agency, sellers, ...answer } = decideSale(sale);
          expectOn(day, said(decidePolicy(asPolicy)), said(answer));
          expectOn(day, decide(asPolicy), decidePolicy(asPolicy));
          const { rule } = requirementOf(asking, versions);
          // Where one of the parties may do for the other, a status says nothing of the sale.
          if (rule?.appointmentOf === 'either' || (rule?.furtherLicenses ?? []).length > 0) continue;
          for (const one of [agency, ...sellers])
            if (one !== undefined) {
              const { party, coverage } = one.of;
              expectOn(day, said(one), said(decideParty({ ...asking, party, coverage, configs: versions })));
            }
        }
      }),
    ));
});

test('A head is the same again where it is folded from what was stored', () =>
  holds(
    fc.property(commands, (history) => {
      const records = recordedBy(history);
      const headsOf = (known: HolderRecords) => {
        const folded = coverageOf(known, never);
        return [...folded.keys()].sort().map((stateCode) => headOf(folded.get(stateCode) ?? emptyState));
      };
      expect(headsOf(stored(records))).toEqual(stored(headsOf(records)));
    }),
    100,
  ));

test('What a carrier’s own lists show in force on a day is what the decision counts on it', () =>
  holds(
    fc.property(commands, someDay, (history, day) => {
      // Whose the rows are, nothing here asks.
      const records = recordedBy(history) as object as StoredRecords;
      const coverage = coverageOf(records, never);
      const listed = <Row>({ entriesOf }: CarrierList<Row, unknown>) =>
        [...coverage.values()].flatMap((state) =>
          entriesOf(state, day).flatMap(({ row, isInForce }) => (isInForce ? row : [])),
        );
      const states = [...coverage.values()];
      // A license is listed with lines of its other rows, too.
      const withoutLines = ({ linesOfAuthority: _, ...row }: LicenseRow) => row;
      expect(listed(licenseList).map(withoutLines)).toEqual(
        states.flatMap(({ licenses }) => rowsInForce(licenses, day)).map(withoutLines),
      );
      expect(listed(appointmentList)).toEqual(
        states.flatMap(({ appointments }) => rowsInForce(appointments, day)),
      );
    }),
    100,
  ));

/** The parties to a sale, by what is recorded of them. */
function partiesOf(
  ofAgency: readonly CaseCommand[],
  ofAgent: readonly CaseCommand[],
  { knownAt, classKinds = [] }: AskedDay,
): { readonly agency: SaleParty | undefined; readonly sellers: readonly SaleParty[] } {
  const [agency, agent] = [ofAgency, ofAgent].map((history) =>
    coverageAt(recordedBy(history), knownAt, classKinds),
  );
  return {
    agency: agency && { party: 'agency', coverage: agency },
    sellers: agent === undefined ? [] : [{ party: 'agent', coverage: agent }],
  };
}

const saleOf = (
  parties: ReturnType<typeof partiesOf>,
  { party: _party, classKinds: _kinds, ...question }: AskedDay,
  versions: Configs,
) => ({ ...question, ...parties, configs: versions, productId: 'the product', today: question.day });

const oneHourLater = (command: CaseCommand): CaseCommand => {
  if (command.kind === 'sale') return command;
  const { at, recordedAt = at } = command;
  const later = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString();
  return { ...command, at: later(at), recordedAt: later(recordedAt) };
};

/** The same with each statement in full, in every state that a report says something of by not naming it. */
function storedInFull(history: readonly CaseCommand[]): HolderRecords {
  const stated = <Row extends { readonly stateCode: string }>(
    kind: RecordKind,
    rowsOf: (command: CaseCommand & { readonly kind: 'report' | 'import' }) => readonly Row[] | undefined,
  ): RecordedStatement<Row>[] => {
    const all = history.flatMap((command) => {
      if (command.kind !== 'report' && command.kind !== 'import') return [];
      const rows = rowsOf(command);
      return rows === undefined ? [] : [{ command, rows }];
    });
    const unread = all.flatMap(({ command }) =>
      command.kind === 'report' ? (command.unread ?? []).filter((place) => place.kind === kind) : [],
    );
    const states = new Set(
      [...all.flatMap(({ rows }) => rows), ...unread].flatMap(({ stateCode }) => stateCode ?? []),
    );
    return [...states].flatMap((stateCode) =>
      all.flatMap(({ command, rows }): RecordedStatement<Row>[] => {
        const { at, recordedAt = at, id = JSON.stringify(command) } = command;
        const ofState = distinctRows(rows.filter((row) => row.stateCode === stateCode));
        const own = { id, at, recordedAt, kind, stateCode, rows: ofState };
        if (command.kind === 'import') {
          const isComplete = command.isComplete === true;
          return ofState.length === 0 ? [] : [{ ...own, by: 'import', isComplete, isPartlyUnread: false }];
        }
        const isPartlyUnread = (command.unread ?? []).some(
          (place) => place.kind === kind && (place.stateCode ?? stateCode) === stateCode,
        );
        return [{ ...own, by: 'registry', isComplete: !isPartlyUnread, isPartlyUnread }];
      }),
    );
  };
  return {
    ...recordedBy(history),
    statements: [
      ...stated('license', ({ licenses }) => licenses),
      ...stated('appointment', ({ appointments }) => appointments),
      ...stated('regulatory action', ({ actions }) => actions),
    ],
  };
}

/** Rows with everything spelled otherwise that may be. */
function respelled<Row extends object>(rows: readonly Row[]): readonly Row[] {
  const upper = (text: string) => text.toUpperCase();
  const changes: Readonly<Record<string, (text: string) => string>> = {
    licenseNumber: (text) => `0-0${text}`,
    licenseClassCode: (text) => text.toLowerCase(),
    status: upper,
    companyCode: (text) => `00${text}`,
    ein: (text) => text.replaceAll('-', ''),
    countyName: (text) => ` ${upper(text).replace('-', ' ')} `,
    issueDate: (text) => `${text}T23:59:59-05:00`,
    statusChangeDate: (text) => `${text}T00:00:00.000Z`,
  };
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      Object.entries(changes).flatMap(([member, change]) => {
        const value = (row as Record<string, unknown>)[member];
        return typeof value === 'string' ? [[member, change(value)]] : [];
      }),
    ),
  }));
}
