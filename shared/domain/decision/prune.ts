import { kindOf } from './appointment-timeline.ts';
import {
  type AppointmentRow,
  type Closing,
  type Fact,
  type HolderFacts,
  inOrder,
  type LicenseRow,
  type ListKind,
  noFacts,
  rowsOf,
} from './facts.ts';
import { beginsOf, historyOf, keyFactsOf, periodsOf } from './license-history.ts';
import { isLive } from './license-identity.ts';
import { factsByKey, numberOf } from './row-kinds.ts';

// What is recorded is kept for twenty years: the ten of a receipt, and ten more that its answers may rest on. Of older facts, those can go that changed a live term or status change which was live
// before and has been changed again since: no day within twenty years depends on them, whatever is recorded later.

const yearsKept = 20;

/** How the rows of a kind are read. */
interface Kind<Row> {
  readonly isLive: (row: Row) => boolean;
  /** What a row says by which others are read. */
  readonly namesOf: (row: Row) => readonly string[];
  /** Tells whether nothing else that facts state is read together with what those of a key state. */
  readonly isAloneAmong: (facts: readonly Fact<Row>[]) => (ofKey: readonly Fact<Row>[]) => boolean;
  /** From when what each command stated of a key speaks, by the command's id. */
  readonly startsOf: (facts: readonly Fact<Row>[]) => ReadonlyMap<string, readonly string[]>;
}

const ofLicenses: Kind<LicenseRow> = {
  isLive,
  // An end of one term may end others, and a term may be stated by several keys.
  isAloneAmong(facts) {
    const ofNumbers = Map.groupBy(
      facts.filter(({ what }) => what === 'stated'),
      (fact) => rowsOf([fact]).slice(0, 1).map(numberOf).join(),
    );
    return (ofKey) =>
      rowsOf(ofKey)
        .slice(0, 1)
        .every((row) =>
          (ofNumbers.get(numberOf(row)) ?? []).every(
            (fact) =>
              fact.key === ofKey[0]?.key ||
              rowsOf([fact]).every((other) => isLive(other) && beginsOf(other) !== beginsOf(row)),
          ),
        );
  },
  namesOf: ({ licenseClassName, linesOfAuthority }) => [
    JSON.stringify([licenseClassName]),
    ...linesOfAuthority.map(({ code, name }) => JSON.stringify([code, name])),
  ],
  startsOf(facts) {
    const ofKey = keyFactsOf(facts);
    const periods = ofKey === undefined ? [] : periodsOf(historyOf(beginsOf(ofKey.row), [ofKey], []));
    const versions = periods.flatMap((period) =>
      // Who stated a license counts too.
      period.versions.map(({ commandId, by }) => ({ commandId, from: `${period.from} ${by === 'import'}` })),
    );
    return new Map(
      Array.from(
        Map.groupBy(versions, ({ commandId }) => commandId),
        ([commandId, ones]) => [commandId, ones.map(({ from }) => from)],
      ),
    );
  },
};

const ofAppointments: Kind<AppointmentRow> = {
  isLive: (row) => kindOf(row) === 'live',
  isAloneAmong: () => () => true,
  namesOf: ({ ein, carrierName, lineOfAuthorityName }) => [
    JSON.stringify([ein, carrierName, lineOfAuthorityName]),
  ],
  startsOf: (facts) => new Map(facts.map(({ commandId }) => [commandId, ['']])),
};

/** The facts of a key, in the order of their commands, that can go. */
function prunableOfKey<Row>(
  { isLive, namesOf, startsOf }: Kind<Row>,
  facts: readonly Fact<Row>[],
  before: string,
): Fact<Row>[] {
  const commands = [...Map.groupBy(facts, ({ commandId }) => commandId).values()];
  const starts = startsOf(facts);
  /** From when a live statement speaks that is old enough; undefined for all else. */
  const startOf = (command: readonly Fact<Row>[] | undefined): string | undefined => {
    const rows = command?.flatMap((fact) =>
      fact.what === 'stated' && fact.recordedAt < before ? [fact.rows] : [],
    );
    const [start, ...others] = starts.get(command?.[0]?.commandId ?? '') ?? [];
    return rows?.length === command?.length && rows?.flat().some(isLive) && others.length === 0
      ? start
      : undefined;
  };
  const names = (command: readonly Fact<Row>[] = []): string[] => rowsOf(command).flatMap(namesOf);
  return commands.flatMap((command, index) => {
    const [last, next] = [commands[index - 1], commands[index + 1]];
    const start = startOf(command);
    const isBetween = start !== undefined && startOf(last) === start && startOf(next) === start;
    const named = new Set(names(next));
    return isBetween && names(command).every((name) => named.has(name)) ? command : [];
  });
}

function prunableOfKind<Row>(
  list: ListKind,
  kind: Kind<Row>,
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
  before: string,
): { readonly facts: readonly Fact<Row>[]; readonly closings: readonly Closing[] } {
  const isAlone = kind.isAloneAmong(facts);
  const pruned = Array.from(factsByKey(list, facts, closings).values(), (ofKey) =>
    isAlone(ofKey) ? prunableOfKey(kind, ofKey, before) : [],
  ).flat();
  const gone = new Set(pruned);
  const staying = facts.filter((fact) => !gone.has(fact));
  const ofKind = inOrder(closings.filter((closing) => closing.kind === list));
  const prunedClosings = Array.from(
    Map.groupBy(ofKind, ({ stateCode }) => stateCode),
    ([state, ofState]) =>
      ofState.filter(({ commandAt, recordedAt }, index) => {
        const last = ofState[index - 1];
        // Nothing came or went between the two lists.
        return (
          last !== undefined &&
          index < ofState.length - 1 &&
          recordedAt < before &&
          !staying.some(
            (fact) =>
              fact.stateCode === state && fact.commandAt > last.commandAt && fact.commandAt <= commandAt,
          )
        );
      }),
  ).flat();
  return { facts: pruned, closings: prunedClosings };
}

/**
 * What can be deleted of what is recorded of a holder (OpenAPI, "listAgentLicenseComplianceStatuses"): each term and each status
 * change keeps what was recorded first and what is in force, and of no day within twenty years is anything answered otherwise, as
 * known at any moment within twenty years. Facts are to be deleted before closings.
 * @param at ISO time in UTC: twenty years before it end the years that are kept.
 */
export function prunable<License extends LicenseRow, Appointment extends AppointmentRow>(
  { licenses, appointments, closings }: HolderFacts<License, Appointment>,
  at: string,
): HolderFacts<License, Appointment> {
  const before = `${Number(at.slice(0, 4)) - yearsKept}${at.slice(4)}`;
  if (![...licenses, ...appointments].some(({ recordedAt }) => recordedAt < before)) return noFacts;
  const ofKinds = {
    license: prunableOfKind<License>('license', ofLicenses, licenses, closings, before),
    appointment: prunableOfKind<Appointment>('appointment', ofAppointments, appointments, closings, before),
  };
  return {
    ...noFacts,
    licenses: ofKinds.license.facts,
    appointments: ofKinds.appointment.facts,
    closings: [...ofKinds.license.closings, ...ofKinds.appointment.closings],
    actions: [],
    unread: [],
    notFound: [],
  };
}
