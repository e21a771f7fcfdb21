import * as fc from 'fast-check';
import { dispositionKindOf } from '#domain/decision/orders.ts';
import type { ActionRow, AppointmentRow, LicenseRow } from '#domain/decision/records.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import { type StatusKind, statusKindOf } from '#domain/registry/words.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { beacon, type CaseCommand, config, recordedBy } from './case-rows.ts';
import { type AskedDay, answering, asked, commands, commandsOfOne, holds } from './histories.ts';

// What a yes rests on, by a plain look through what was said: a row that has the day, which no end has taken, and no order.

/** A row as the day depends on it; what it is of, by its codes as they are written. */
interface Plain {
  readonly thing: string;
  readonly kind: StatusKind;
  readonly begins: string | null;
  readonly last: string;
  readonly since: string | null;
}

const day = (written: string | null): string | null => written?.slice(0, 10) ?? null;

const ofLicense = (row: LicenseRow): Plain => ({
  thing: [row.stateCode, row.licenseNumber, row.licenseClassCode, row.licenseClassName]
    .map(comparable)
    .join(),
  kind: statusKindOf(row.status, 'license'),
  begins: day(row.issueDate),
  last: [row.nextRenewalDate, row.expirationDate].flatMap((one) => day(one) ?? []).sort()[0] ?? '9999',
  since: day(row.statusDate),
});

const ofAppointment = (row: AppointmentRow): Plain => {
  const kind = statusKindOf(row.status, 'appointment', row.terminationReason);
  const since = day(row.statusChangeDate);
  const { stateCode, companyCode, ein, carrierName, countyName } = row;
  const line = [row.lineOfAuthorityCode, row.lineOfAuthorityName];
  return {
    thing: [stateCode, companyCode, ein, carrierName, ...line, countyName].map(comparable).join(),
    kind,
    begins: day(row.effectiveDate) ?? (kind === 'live' ? since : null),
    last: '9999',
    since,
  };
};

/** A report, or an import, in the order in which they count. */
interface Statement<Row> {
  readonly knownOn: string;
  readonly isComplete: boolean;
  readonly rows: readonly Row[];
}

const kinds = { license: 'licenses', appointment: 'appointments', 'regulatory action': 'actions' } as const;

/** What was said by a moment of records of one kind in a state. */
function statementsOf<Row>(
  history: readonly CaseCommand[],
  { knownAt }: AskedDay,
  kind: keyof typeof kinds,
  stateCode: string,
): Statement<Row>[] {
  return history
    .filter((one) => one.kind === 'report' || one.kind === 'import')
    .filter(({ at, recordedAt = at }) => recordedAt <= knownAt)
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .flatMap((command): Statement<Row>[] => {
      const rows = command[kinds[kind]]?.filter((row) => row.stateCode === stateCode);
      const isReport = command.kind === 'report';
      const isUnread =
        isReport &&
        (command.unread ?? []).some(
          (place) => place.kind === kind && (place.stateCode ?? stateCode) === stateCode,
        );
      const isComplete = isReport ? !isUnread : command.isComplete === true;
      if (rows === undefined || (!isReport && rows.length === 0)) return [];
      return [
        { knownOn: newYorkDate(new Date(command.at)), isComplete, rows: rows as unknown as readonly Row[] },
      ];
    });
}

/** Whether a row says of the day that it is in force: it is live, or an end that says since when, or a lapse. */
const has = ({ kind, begins, last, since }: Plain, on: string, knownOn: string): boolean => {
  if ((begins !== null && on < begins) || on > last) return false;
  const isBeforeEnd = since === null ? kind === 'lapsed' && last < knownOn : on < since;
  return kind === 'live' || (begins !== null && isBeforeEnd);
};

/**
 * Whether an end of the same thing holds on the day, by what was said last that matters to it. Any live row may be of the same
 * thing in other words, and lend a row its beginning.
 */
function isEnded(said: readonly Statement<Plain>[], row: Plain, on: string): boolean {
  const beginnings = said.flatMap(({ rows }) => rows.flatMap(({ begins }) => begins ?? [])).sort();
  const begins = row.begins ?? beginnings.at(-1) ?? null;
  let endedFrom: string | null = null;
  let firstSaidOn: string | null = null;
  const begun = new Set<string | null>();
  for (const { knownOn, isComplete, rows } of said) {
    const live = rows.filter(({ kind }) => kind === 'live');
    const own = rows.filter(({ thing, kind }) => thing === row.thing && kind !== 'pending');
    const dates = own.map(({ since }) => since ?? '').sort();
    // Of several rows of the same thing that all have a date, each counts until the next one's: a later one from its own on.
    const counts = ({ since }: Plain): boolean =>
      dates[0] === '' || since === dates[0] || (since ?? '') <= on;
    const ends = own.filter((end) => end.kind !== 'live' && counts(end));
    // An end without a date that is said again counts from when it was first said, since it was live without it.
    const isUndated = ends.some(({ since }) => since === null);
    if (isUndated) firstSaidOn ??= knownOn;
    const [from] = ends
      .map(({ since, last, begins: beganOn }) => {
        // On the day on which it began it ends what was live before when that becomes known, unless it says another beginning.
        const isOnBeginning = since === begins && begun.has(since) && (beganOn ?? since) === since;
        const own = isOnBeginning ? knownOn : (since ?? firstSaidOn ?? knownOn);
        return own < dayAfter(last) ? own : dayAfter(last);
      })
      .filter((end) => end <= on && (begins === null || begins < end));
    if (live.length > 0 && !isUndated) firstSaidOn = null;
    else endedFrom ??= from ?? null;
    for (const one of live) begun.add(one.begins ?? begins);
    const lent = (one: Plain): readonly (string | null)[] =>
      one.begins === null ? beginnings : [one.begins];
    const again = live.flatMap((one) => [...lent(one), one.since, isComplete ? knownOn : null]);
    if (again.some((one) => one !== null && one >= (endedFrom ?? '') && one <= on)) endedFrom = null;
  }
  return endedFrom !== null;
}

const dayAfter = (last: string): string => (last === '9999' ? last : addDays(last, 1));

/** Whether an order is in force on the day. */
function isUnderOrder(said: readonly Statement<ActionRow>[], on: string): boolean {
  const last = new Map<string, ActionRow & { firstKnownOn: string }>();
  const gone = new Set<string>();
  for (const { knownOn, isComplete, rows } of said) {
    for (const row of rows) {
      const { firstKnownOn = knownOn } = (!gone.delete(row.actionId) && last.get(row.actionId)) || {};
      last.set(row.actionId, { ...row, firstKnownOn });
    }
    if (!isComplete) continue;
    for (const actionId of last.keys()) {
      if (rows.some((row) => row.actionId === actionId)) continue;
      gone.add(actionId);
      if (knownOn <= on) last.delete(actionId);
    }
  }
  const orders = [...last.values()].map((row) => ({
    kind: dispositionKindOf(row.disposition ?? ''),
    from: day(row.effectiveDate ?? row.dateOfAction ?? row.enterDate) ?? row.firstKnownOn,
    days: row.lengthOfOrderInDays || 30,
  }));
  return orders.some(
    ({ kind, from, days }) =>
      kind === 'in force' &&
      from <= on &&
      on < addDays(from, days) &&
      !orders.some((other) => other.kind === 'over' && other.from > from && other.from <= on),
  );
}

const required = [[config()], [config({ appointment: 'required' })]] as const;
/** Without deletions, which leave nothing to look for. */
const histories = fc
  .oneof(commands, commandsOfOne)
  .filter((history) => !JSON.stringify(history).includes('isDeleted'));

it('A yes rests on rows that have the day, which no other row has ended, without an order', () => {
  let count = 0;
  holds(
    fc.property(histories, asked, fc.constantFrom(...required), (history, question, versions) => {
      const answerOn = answering(
        recordedBy(history),
        { ...question, stateCode: 'TX', carrier: beacon },
        versions,
      );
      const actions = statementsOf<ActionRow>(history, question, 'regulatory action', 'TX');
      const saidOf = <Row extends { readonly stateCode: string }>(
        { stateCode }: Row,
        kind: 'license' | 'appointment',
        plain: (row: Row) => Plain,
      ) =>
        statementsOf<Row>(history, question, kind, stateCode).map((one) => ({
          ...one,
          rows: one.rows.map(plain),
        }));
      for (const on of writtenDays(history)) {
        const { verdict, covering } = answerOn(on);
        if (verdict !== 'yes') continue;
        const grounds = [
          ...covering.licenses.map((row) => [ofLicense(row), saidOf(row, 'license', ofLicense)] as const),
          ...covering.appointments.map(
            (row) => [ofAppointment(row), saidOf(row, 'appointment', ofAppointment)] as const,
          ),
        ];
        for (const [row, said] of grounds) {
          const isSaid = said.some(({ rows, knownOn }) =>
            rows.some((one) => one.thing === row.thing && has(one, on, knownOn)),
          );
          const found = { on, row, isSaid, isEnded: isEnded(said, row, on) };
          expect(found).toEqual({ on, row, isSaid: true, isEnded: false });
        }
        expect({ on, isUnderOrder: isUnderOrder(actions, on) }).toEqual({ on, isUnderOrder: false });
        expect(grounds).not.toEqual([]);
        count += 1;
      }
    }),
  );
  expect(count).toBeGreaterThan(100);
});

/** The days that are written somewhere, and those before and after them. */
const writtenDays = (history: readonly CaseCommand[]): string[] => {
  const written = JSON.stringify(history).match(/\d{4}-\d\d-\d\d/g) ?? [];
  return [...new Set(written)].flatMap((one) => [addDays(one, -1), one, addDays(one, 1)]);
};
