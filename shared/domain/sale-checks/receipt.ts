// What a receipt keeps of that from which checks were answered, and from which they can be answered again.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { fields, later, object, without } from '#platform/contract/object.ts';
import { objectId, stateCode, timestamp } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { companyCodes } from '#platform/identity/company-codes.ts';
import { isKnownByName } from '../decision/carrier.ts';
import { type ClassKindVersion, classKinds } from '../decision/classes.ts';
import { complianceConfig, linesRequired } from '../decision/compliance-config.ts';
import { type Coverage, coverageFrom, emptyState, type StateCoverage } from '../decision/coverage.ts';
import { type DatedSource, datedAppointment, datedLicense } from '../decision/dated.ts';
import { always, knownOn, never } from '../decision/dates.ts';
import type { Mark, Span } from '../decision/days.ts';
import type { Holding, Said } from '../decision/holdings.ts';
import { recordKinds } from '../decision/records.ts';
import { namesOf } from '../decision/search.ts';
import type { DatedRow } from '../decision/statements.ts';
import { naicCode, npn } from '../identifiers/identifiers.ts';
import { appointment, license } from '../registry/resources.ts';
import { noCoverage } from '../registry-records/store.ts';
import { type DecisionInputs, isDecided, type OwnWord, ownWord, type ResolvedCheck } from './sources.ts';

/** Who states something. */
export const statedBy = z.enum(['registry', 'import']);

/** When something was stated, and by whom. */
const stated = fields(() => ({
  id: z.string(),
  at: timestamp,
  recordedAt: timestamp,
  by: statedBy,
  isComplete: z.boolean(),
}));

/** A license as it was stated. */
export const licenseSource = object(() => ({
  kind: z.literal('license'),
  ...stated.shape,
  ...without(license, 'registryDataSubscriptionId', 'npn', 'updatedAt').shape,
}));

/** A status change of an appointment as it was stated. */
export const appointmentSource = object(() => ({
  kind: z.literal('appointment'),
  ...stated.shape,
  ...without(appointment, 'registryDataSubscriptionId', 'npn', 'appointerStateCoId', 'updatedAt').shape,
}));

/** What may be missing: records of a kind of which a row could not be read, or all, where the registry lost the NPN. */
export const gapOf = later(() => z.enum([...recordKinds, 'npn']));

export const gapSource = object(() => ({ kind: z.literal('not known'), of: gapOf }));

const source = later(() => z.union([licenseSource, appointmentSource, gapSource]));

export const daysAre = later(() => z.enum(['in force', 'ended', 'left out', 'not known', 'not in force']));

/** Days from one until the next ones. */
const lineSpanFields = fields(() => ({ from: z.nullable(z.iso.date()), is: daysAre }));

export const lineSpan = object(() => lineSpanFields.shape);
export const span = object(() => ({
  ...lineSpanFields.shape,
  /** The place of the row that says so. */
  row: z.nullable(z.int()),
  statedAt: z.nullable(timestamp),
}));

export const lineDays = object(() => ({ names: z.array(z.string()), days: z.array(lineSpan) }));

/** A license or an appointment: the places of its rows, and its days. */
export const heldSource = object(() => ({
  kind: z.enum(['license', 'appointment']),
  stateCode,
  rows: z.array(z.int()),
  days: z.array(span),
  lines: z.array(lineDays),
}));

type Stated = z.output<z.ZodMiniObject<typeof stated.shape>>;

type HeldSource = z.output<typeof heldSource>;

/** An order against a party, or days of which it is not known whether there is one. */
export const actionSource = object(() => ({
  stateCode,
  actionId: z.string(),
  is: z.enum(['in force', 'not known']),
  from: z.iso.date(),
  until: z.iso.date(),
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
  rows: z.array(source),
  days: z.array(heldSource),
  actions: z.array(actionSource),
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

/** Where the parties of a check are among the sources; null where it has none, or was not decided. */
export const partiesOfCheck = object(() => ({ seller: z.nullable(z.int()), agency: z.nullable(z.int()) }));

type PartiesOfCheck = z.output<typeof partiesOfCheck>;

/** The days of a license, a line, or an appointment, with what says so. */
const daysOf = <Row extends DatedRow>(days: readonly Span<Row>[], sayingOf: (mark?: Mark<Row>) => object) =>
  days.map(({ from, mark }) => ({
    from: from === always ? null : from,
    is: mark?.is ?? 'not in force',
    ...sayingOf(mark),
  }));

const stateOfHolding = <Row extends { readonly stateCode: string }>({ said }: Holding<DatedSource<Row>>) =>
  said[0]?.row.source.stateCode ?? '';

/** What is known of a holder that an answer about a state rests on: there, and of resident licenses in other states. */
function knownIn(coverage: Coverage, state: string) {
  const { licenses, appointments, orders, unread, sales } = coverage.get(state) ?? emptyState;
  const places = new Map<string, number>();
  const rows: object[] = [];
  const placeOf = (row: object): number => {
    const text = JSON.stringify(row);
    const place = places.get(text) ?? rows.push(row) - 1;
    places.set(text, place);
    return place;
  };
  const held =
    (kind: HeldSource['kind']) =>
    <Row extends { readonly stateCode: string }>(holding: Holding<DatedSource<Row>>) => {
      const { said } = holding;
      const place = ({ row, statement: { id, at, recordedAt, by, isComplete } }: Said<DatedSource<Row>>) =>
        placeOf({ ...row.source, kind, id, at, recordedAt, by, isComplete });
      return {
        kind,
        stateCode: stateOfHolding(holding),
        rows: said.map(place),
        days: daysOf(holding.days, (mark) => ({
          row: mark === undefined ? null : place(said.find(({ row }) => row === mark.row) ?? mark),
          statedAt: mark?.statement.at ?? null,
        })),
        lines: holding.lines.map((line) => ({
          names: [...namesOf(line.said, 0)],
          days: daysOf(line.days, () => ({})),
        })),
      };
    };
  const away = coverage.home().filter(({ holding }) => !licenses.includes(holding));
  const days = [
    ...[...licenses, ...away.map(({ holding }) => holding)].map(held('license')),
    ...appointments.map(held('appointment')),
  ];
  const ordersOf = new Map(away.map((home) => [stateOfHolding(home.holding), home.orders]));
  const gaps = [...unread, ...(coverage.isNotFound ? ['npn'] : [])];
  return {
    rows: [...rows, ...gaps.map((of) => ({ kind: 'not known', of }))],
    days,
    actions: Array.from(ordersOf.set(state, orders), ([of, its]) =>
      its.map((order) => ({ ...order, stateCode: of })),
    ).flat(),
    verifiedAt: coverage.verifiedAt(state),
    sales: sales.map(({ day: soldOn, lines: linesOfAuthority, carrierNaicCode = null, ...sale }) => ({
      ...sale,
      soldOn,
      linesOfAuthority,
      carrierNaicCode,
    })),
  };
}

/** What checks were answered from, and which of it are the parties of each. */
export function sourcesOf(
  checks: readonly ResolvedCheck[],
  { carrier, verifiedWithinDays, coverageOf, configsOf }: DecisionInputs,
): { readonly sources: ReceiptSources; readonly parties: readonly PartiesOfCheck[] } {
  const kinds = new Set<ClassKindVersion>();
  const found = new Map<string, object>();
  const indexOf = (who: { readonly npn: string | null } | null, state: string, word: OwnWord) => {
    if (who === null) return null;
    const key = JSON.stringify([who.npn, state, word]);
    if (!found.has(key)) {
      const coverage = coverageOf(who.npn, state);
      const known = knownIn(coverage, state);
      const states = new Set(known.days.map(({ stateCode: of }) => of));
      for (const kind of coverage.classKinds) if (states.has(kind.stateCode)) kinds.add(kind);
      found.set(key, { npn: who.npn, stateCode: state, ...known, ...word });
    }
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
    classKinds: [...kinds],
    carrier: { ...(isKnownByName(carrier) ? { name } : {}), naicCodes, eins, verifiedWithinDays },
  });
  return { sources, parties };
}

/** A row as it was stated. */
function saidOf<Row extends Stated, Dated extends DatedRow>(
  { id, at, recordedAt, by, isComplete, ...row }: Row,
  dated: (row: Omit<Row, keyof Stated>) => Dated,
): Said<Dated> {
  return {
    row: dated(row),
    statement: { id, at, recordedAt, by, isComplete, knownOn: knownOn(at), rows: [] },
  };
}

/** What says of a line on which days it is in force. */
const lineSaid = (names: readonly string[]): Said => ({
  row: {
    identity: [{ names, unnamed: 'unclear' }],
    status: 'live',
    begins: null,
    ends: never,
    since: null,
  },
  statement: { id: '', at: '', recordedAt: '', by: 'registry', isComplete: false, knownOn: always, rows: [] },
});

/** Days as they were kept. @param saidBy what says so. */
const spansOf = <Row extends DatedRow, Kept extends z.output<typeof lineSpan>>(
  days: readonly Kept[],
  saidBy: (span: Kept) => Said<Row> | undefined,
): Span<Row>[] =>
  days.map((span) => {
    const said = saidBy(span);
    const { is } = span;
    return {
      from: span.from ?? always,
      mark: said === undefined || is === 'not in force' ? undefined : { is, begins: always, ...said },
    };
  });

/** What is known of a party, as it was kept. */
function coverageOfParty(
  { stateCode: state, rows, days, actions, sales, verifiedAt }: PartySource,
  kinds: readonly ClassKindVersion[],
): Coverage {
  const licenses = rows.map((row) => (row.kind === 'license' ? saidOf(row, datedLicense) : undefined));
  const appointments = rows.map((row) =>
    row.kind === 'appointment' ? saidOf(row, datedAppointment) : undefined,
  );
  const gaps = rows.flatMap((row) => (row.kind === 'not known' ? row.of : []));
  const heldIn = <Row extends DatedRow>(
    of: string,
    kind: HeldSource['kind'],
    said: readonly (Said<Row> | undefined)[],
  ): Holding<Row>[] =>
    days
      .filter((held) => held.kind === kind && held.stateCode === of)
      .map((held) => ({
        key: '',
        said: held.rows.flatMap((place) => said[place] ?? []),
        days: spansOf(held.days, ({ row }) => said[row ?? -1]),
        lines: held.lines.map((line) => {
          const its = lineSaid(line.names);
          return { key: '', said: [its], days: spansOf(line.days, () => its), lines: [] };
        }),
      }));
  const stateOf = (of: string): StateCoverage => ({
    ...emptyState,
    licenses: heldIn(of, 'license', licenses),
    appointments: heldIn(of, 'appointment', appointments),
    orders: actions.filter(({ stateCode: its }) => its === of),
    unread: new Set(gaps.filter((gap) => gap !== 'npn')),
    sales: sales.map(({ soldOn: day, linesOfAuthority: lines, carrierNaicCode, ...sale }) => ({
      ...sale,
      day,
      lines,
      carrierNaicCode: carrierNaicCode ?? undefined,
    })),
  });
  const states = [state, ...days.map(({ stateCode: of }) => of)].map((of) => [of, stateOf(of)] as const);
  const homes = new Map(states);
  return {
    ...coverageFrom({
      states: new Map(Array.from(homes, ([of, its]) => [of, () => its])),
      homes: () => [...homes.values()],
      classKinds: kinds,
      reports: [],
    }),
    isNotFound: gaps.includes('npn'),
    verifiedAt: () => verifiedAt,
  };
}

/** What decides again what a receipt was made from. */
export function inputsOf(
  { parties, configs, classKinds: kinds, carrier }: ReceiptSources,
  knownAt: string,
  today: CalendarDate,
): DecisionInputs {
  const { verifiedWithinDays, name = '', ...identity } = carrier;
  return {
    knownAt,
    today,
    carrier: { name, ...identity },
    verifiedWithinDays,
    coverageOf(holderNpn, state) {
      const party = parties.find((one) => one.npn === holderNpn && one.stateCode === state);
      return party === undefined ? noCoverage : coverageOfParty(party, kinds);
    },
    configsOf: (productId) => configs.filter((one) => one.productId === productId),
  };
}
