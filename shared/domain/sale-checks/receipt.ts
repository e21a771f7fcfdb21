// What a receipt keeps of that from which checks were answered, and from which they can be answered again.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { fields, later, object, without } from '../../platform/contract/object.ts';
import { objectId, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { isDeepStrictEqual } from '../../platform/data/json.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { companyCodes } from '../../platform/identity/company-codes.ts';
import { isKnownByName } from '../decision/carrier.ts';
import { type ClassKindVersion, classKinds } from '../decision/classes.ts';
import { complianceConfig, linesRequired } from '../decision/compliance-config.ts';
import type { Coverage } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import { always, never } from '../decision/dates.ts';
import type { Span } from '../decision/days.ts';
import type { Holding } from '../decision/holdings.ts';
import { type HolderRecords, noRecords, type RecordedStatement, recordKinds } from '../decision/records.ts';
import type { DatedRow } from '../decision/statements.ts';
import { naicCode, npn } from '../identifiers/identifiers.ts';
import { appointment, license, regulatoryAction } from '../registry/resources.ts';
import { type OwnWord, ownWord } from './own-word.ts';
import {
  coveragesOf,
  type DecisionInputs,
  isDecided,
  type RecordsOfHolders,
  type ResolvedCheck,
} from './sources.ts';

/** Whether an import says of a row that it never was. */
const deletion = { isDeleted: z.optional(z.boolean()) };

/** A license as a statement has it. */
export const licenseSource = object(() => ({
  ...without(license, 'registryDataSubscriptionId', 'npn', 'updatedAt').shape,
  ...deletion,
}));

/** A status change of an appointment as a statement has it. */
export const appointmentSource = object(() => ({
  ...without(appointment, 'registryDataSubscriptionId', 'npn', 'appointerStateCoId', 'updatedAt').shape,
  ...deletion,
}));

/** A regulatory action as a statement has it. */
export const actionSource = object(() => {
  const { stateCode: state, actionId, disposition, ...others } = regulatoryAction.shape;
  const { dateOfAction, effectiveDate, enterDate, lengthOfOrderInDays } = others;
  return {
    stateCode: state,
    actionId,
    disposition,
    dateOfAction,
    effectiveDate,
    enterDate,
    lengthOfOrderInDays,
    ...deletion,
  };
});

/** When something was stated. */
const moment = fields(() => ({ id: z.string(), at: timestamp, recordedAt: timestamp }));

export const repetition = object(() => moment.shape);

const statement = fields(() => ({
  ...moment.shape,
  by: z.enum(['registry', 'import']),
  stateCode,
  isComplete: z.boolean(),
  isPartlyUnread: z.boolean(),
  repetitions: z.optional(z.array(repetition)),
}));

export const licenseStatement = object(() => ({
  kind: z.literal('license'),
  ...statement.shape,
  rows: z.array(licenseSource),
}));

export const appointmentStatement = object(() => ({
  kind: z.literal('appointment'),
  ...statement.shape,
  rows: z.array(appointmentSource),
}));

export const actionStatement = object(() => ({ ...statement.shape, rows: z.array(actionSource) }));

export const recordKind = later(() => z.enum(recordKinds));

/** A row of a report that could not be read. */
export const unreadSource = object(() => ({ kind: recordKind, stateCode: z.nullable(z.string()) }));

/** A report of the registry, which repeats what it does not state itself. */
export const reportSource = object(() => ({
  kind: z.literal('report'),
  ...moment.shape,
  by: z.literal('registry'),
  isFound: z.boolean(),
  kinds: z.array(recordKind),
  unread: z.array(unreadSource),
}));

export const daysAre = later(() => z.enum(['in force', 'ended', 'left out', 'not known', 'not in force']));

/** Days from one until the next ones, with what says so. */
const span = fields(() => ({ from: z.nullable(z.iso.date()), is: daysAre, statedAt: z.nullable(timestamp) }));

export const lineSpan = object(() => span.shape);
export const licenseSpan = object(() => ({ ...span.shape, row: z.nullable(licenseSource) }));
export const appointmentSpan = object(() => ({ ...span.shape, row: z.nullable(appointmentSource) }));

export const lineDays = object(() => ({ line: z.string(), days: z.array(lineSpan) }));

export const licenseDays = object(() => ({
  kind: z.literal('license'),
  stateCode,
  days: z.array(licenseSpan),
  lines: z.array(lineDays),
}));

export const appointmentDays = object(() => ({
  kind: z.literal('appointment'),
  stateCode,
  days: z.array(appointmentSpan),
}));

/** A sale on which the day depends by which the carrier is to appoint. */
export const soldSource = object(() => ({
  transactionId: objectId,
  stateCode,
  soldOn: z.iso.date(),
  linesOfAuthority: linesRequired(),
  carrierNaicCode: z.nullable(naicCode),
}));

export const partySource = object(() => ({
  npn: z.nullable(npn),
  stateCode,
  rows: z.array(z.union([licenseStatement, appointmentStatement, reportSource])),
  days: z.array(z.union([licenseDays, appointmentDays])),
  actions: z.array(actionStatement),
  verifiedAt: z.nullable(timestamp),
  sales: z.array(soldSource),
  ...ownWord.shape,
}));

type PartySource = z.output<typeof partySource>;

/** A version of a product's config. */
export const configSource = object(() => ({ ...complianceConfig.shape, recordedAt: timestamp }));

export const kindOfClass = later(() => z.enum(classKinds));

/** What somebody said of a class of license. */
export const classKindSource = object(() => ({
  stateCode,
  classCode: z.nullable(z.string()),
  className: z.nullable(z.string()),
  kind: z.nullable(kindOfClass),
  isOwn: z.boolean(),
  recordedAt: timestamp,
}));

/** What the carrier is known by; its name counts where it has neither codes nor EINs. */
export const carrierSource = object(() => ({
  name: z.optional(z.string()),
  naicCodes: companyCodes,
  eins: z.array(z.string()),
  verifiedWithinDays: z.nullable(z.int()),
}));

/** Everything that checks were answered from. */
export const receiptSources = object(() => ({
  parties: z.array(partySource),
  configs: z.array(configSource),
  classKinds: z.array(classKindSource),
  carrier: carrierSource,
}));

export type ReceiptSources = z.output<typeof receiptSources>;

/** SHA-256, in lowercase hex, of the RFC 8785 form. */
export const hashOf = (sources: ReceiptSources): string =>
  createHash('sha256')
    .update(canonicalize(sources) ?? '')
    .digest('hex');

/** What is recorded of a holder that an answer about a state rests on: there, and of licenses and orders in its home states. */
function recordsInState(records: HolderRecords, state: string, knownAt: string): HolderRecords {
  const isKnown = ({ recordedAt }: { readonly recordedAt: string }): boolean => recordedAt <= knownAt;
  const knownIn = <Row>(all: readonly RecordedStatement<Row>[], states: readonly string[]) =>
    all
      .filter((one) => states.includes(one.stateCode) && isKnown(one))
      .map(({ repetitions, ...one }) => ({
        ...one,
        ...(repetitions && { repetitions: repetitions.filter(isKnown) }),
      }));
  const resident = records.licenses.filter(({ rows }) =>
    rows.some(({ residencyStatus }) => residencyStatus === 'resident'),
  );
  const withHome = [state, ...resident.map((one) => one.stateCode)];
  return {
    licenses: knownIn(records.licenses, withHome),
    appointments: knownIn(records.appointments, [state]),
    actions: knownIn(records.actions, withHome),
    reports: records.reports.filter(isKnown),
    sales: records.sales.filter((sale) => sale.stateCode === state),
  };
}

/** Days as people read them: adjacent ones that are the same by the same row are one span. */
function spansOf<Row extends DatedRow>(days: readonly Span<Row>[], shownOf: (row?: Row) => object) {
  const spans = days.map(({ from, mark }) => ({
    when: { from: from === always ? null : from, statedAt: mark?.statement.at ?? null },
    what: { is: mark?.is ?? 'not in force', ...shownOf(mark?.row) },
  }));
  return spans
    .filter(
      ({ when, what }, index) => when.from !== never && !isDeepStrictEqual(what, spans[index - 1]?.what),
    )
    .map(({ when, what }) => ({ ...when, ...what }));
}

/** A line as it is compared: its code, else its name. */
const lineOf = ({ said }: Holding): string | undefined =>
  said[0]?.row.identity.flatMap(({ names }) => names).find((one) => one !== null);

/** The days of what a holder has in a state, and of resident licenses elsewhere. */
function daysOf(coverage: Coverage, state: string) {
  const { licenses = [], appointments = [] } = coverage.get(state) ?? {};
  const held = <Row extends { readonly stateCode: string }>(holding: Holding<DatedSource<Row>>) => ({
    stateCode: holding.said[0]?.row.source.stateCode,
    days: spansOf(holding.days, (row) => ({ row: row?.source ?? null })),
  });
  return [
    ...Array.from(new Set([...licenses, ...coverage.home.map(({ holding }) => holding)]), (holding) => ({
      kind: 'license',
      ...held(holding),
      lines: holding.lines.map((line) => ({ line: lineOf(line), days: spansOf(line.days, () => ({})) })),
    })),
    ...appointments.map((holding) => ({ kind: 'appointment', ...held(holding) })),
  ];
}

/** Where the parties of a check are among the sources; null where it has none, or was not decided. */
export const partiesOfCheck = object(() => ({ seller: z.nullable(z.int()), agency: z.nullable(z.int()) }));

type PartiesOfCheck = z.output<typeof partiesOfCheck>;

/** What checks were answered from, and which of it are the parties of each. */
export function sourcesOf(
  checks: readonly ResolvedCheck[],
  { knownAt, carrier, verifiedWithinDays, coverageOf, configsOf }: DecisionInputs,
  holders: RecordsOfHolders,
  kinds: readonly ClassKindVersion[],
): { readonly sources: ReceiptSources; readonly parties: readonly PartiesOfCheck[] } {
  const states = new Set<string>();
  const partyOf = (holderNpn: string | null, state: string) => {
    const { sales, ...records } = recordsInState(holders.get(holderNpn ?? '') ?? noRecords, state, knownAt);
    for (const { stateCode: of } of records.licenses) states.add(of);
    const coverage = coverageOf(holderNpn, state);
    return {
      npn: holderNpn,
      stateCode: state,
      rows: [
        ...records.licenses.map((one) => ({ ...one, kind: 'license' })),
        ...records.appointments.map((one) => ({ ...one, kind: 'appointment' })),
        ...records.reports.map((one) => ({ ...one, kind: 'report' })),
      ],
      days: daysOf(coverage, state),
      actions: records.actions,
      verifiedAt: coverage.verifiedAt(state),
      sales: sales.map(({ day: soldOn, lines: linesOfAuthority, carrierNaicCode = null, ...sale }) => ({
        ...sale,
        soldOn,
        linesOfAuthority,
        carrierNaicCode,
      })),
    };
  };
  const found = new Map<string, object>();
  const indexOf = (who: { readonly npn: string | null } | null, state: string, word: OwnWord) => {
    if (who === null) return null;
    const key = JSON.stringify([who.npn, state, word]);
    if (!found.has(key)) found.set(key, { ...partyOf(who.npn, state), ...word });
    return [...found.keys()].indexOf(key);
  };
  const parties = checks.map((check) => {
    const { seller, agency, stateCode: state, ofToday } = check;
    return isDecided(check)
      ? { seller: indexOf(seller, state, ofToday.seller), agency: indexOf(agency, state, ofToday.agency) }
      : { seller: null, agency: null };
  });
  const products = new Set(checks.filter(isDecided).flatMap(({ product }) => product?.productId ?? []));
  const { name, naicCodes, eins } = carrier;
  const sources = z.parse(receiptSources, {
    parties: [...found.values()],
    configs: [...products].flatMap(configsOf),
    classKinds: kinds.filter(({ stateCode: of, recordedAt }) => states.has(of) && recordedAt <= knownAt),
    carrier: {
      ...(isKnownByName(carrier) ? { name } : {}),
      naicCodes,
      eins,
      verifiedWithinDays,
    },
  });
  return { sources, parties };
}

const recordsOf = ({ rows, actions, sales }: PartySource): HolderRecords => ({
  licenses: rows.filter((one) => one.kind === 'license'),
  appointments: rows.filter((one) => one.kind === 'appointment'),
  reports: rows.filter((one) => one.kind === 'report'),
  actions,
  sales: sales.map(({ soldOn: day, linesOfAuthority: lines, carrierNaicCode, ...sale }) => ({
    ...sale,
    day,
    lines,
    carrierNaicCode: carrierNaicCode ?? undefined,
  })),
});

/** What decides again what a receipt was made from. */
export function inputsOf(
  { parties, configs, classKinds: kinds, carrier }: ReceiptSources,
  knownAt: string,
  today: CalendarDate,
): DecisionInputs {
  const { verifiedWithinDays, name = '', ...identity } = carrier;
  const keyOf = (holderNpn: string | null, state: string): string => `${holderNpn ?? ''} ${state}`;
  const holders = new Map(parties.map((one) => [keyOf(one.npn, one.stateCode), recordsOf(one)]));
  const coverageOf = coveragesOf(holders, knownAt, kinds);
  return {
    knownAt,
    today,
    carrier: { name, ...identity },
    verifiedWithinDays,
    coverageOf: (holderNpn, state) => coverageOf(keyOf(holderNpn, state)),
    configsOf: (productId) => configs.filter((one) => one.productId === productId),
  };
}
