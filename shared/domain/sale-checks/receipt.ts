// What a receipt keeps of that from which checks were answered, and from which they can be answered again.

import { createHash } from 'node:crypto';
import { brotliDecompress } from 'node:zlib';
import canonicalize from 'canonicalize';
import * as z from 'zod/mini';
import { objectId, stateCode, timestamp } from '#platform/contract/primitives.ts';
import { collect } from '#platform/data/concurrently.ts';
import { promisify } from '#platform/data/json.ts';
import { parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { companyCodes } from '#platform/identity/organizations.ts';
import { isKnownByName } from '../decision/carrier.ts';
import { type ClassKindVersion, classKindVersion } from '../decision/classes.ts';
import { complianceConfig, linesRequired } from '../decision/compliance-config.ts';
import { type Coverage, coverageFrom, emptyState } from '../decision/coverage.ts';
import type { DatedSource } from '../decision/dated.ts';
import { always } from '../decision/dates.ts';
import type { Mark, Span } from '../decision/days.ts';
import { type Holding, type Mention, namesOf } from '../decision/holdings.ts';
import { reason } from '../decision/reasons.ts';
import { type RowsOfKinds, recordKinds, type SaleDay } from '../decision/records.ts';
import type { DatedRow } from '../decision/statements.ts';
import { naicCode, npn } from '../identifiers/identifiers.ts';
import { registryAppointment, registryLicense } from '../registry/registry.ts';
import { headOf, type StateHead, stateOfHead } from '../registry-records/heads.ts';
import { noCoverage } from '../registry-records/store.ts';
import { type DecisionInputs, isDecided, type OwnWord, ownWord, type ResolvedCheck } from './answer.ts';
import { answeredCheck } from './resource.ts';

/** Source of a statement. */
export const statementSource = z.enum(['registry', 'import']);

/** Fields of a statement: its time and its source. */
const statementFields = z.object({
  id: z.string(),
  at: timestamp,
  recordedAt: timestamp,
  by: statementSource,
  isComplete: z.boolean(),
});

/** A license as it was stated. */
export const licenseSource = z.object({
  kind: z.literal('license'),
  ...statementFields.shape,
  ...registryLicense.shape,
});

/** A status change of an appointment as it was stated. */
export const appointmentSource = z.object({
  kind: z.literal('appointment'),
  ...statementFields.shape,
  ...z.omit(registryAppointment, { appointerStateCoId: true }).shape,
});

/** Gaps: records of a kind of which a row could not be read, or all, where the registry lost the NPN. */
export const gapOf = z.enum([...recordKinds, 'home license', 'npn']);

export const gapSource = z.object({ kind: z.literal('not known'), of: gapOf });

const source = z.union([licenseSource, appointmentSource, gapSource]);

export const daysAre = z.enum(['in force', 'ended', 'left out', 'not known', 'not in force']);

/** Days from one until the next ones. */
export const lineSpan = z.object({ from: z.nullable(z.iso.date()), is: daysAre });

export const span = z.object({
  ...lineSpan.shape,
  /** The place of the row that says so. */
  row: z.nullable(z.int()),
  statedAt: z.nullable(timestamp),
});

export const lineDays = z.object({ names: z.array(z.string()), days: z.array(lineSpan) });

/** A license or an appointment: the places of its rows, and its days. */
export const heldSource = z.object({
  kind: z.enum(['license', 'appointment']),
  stateCode,
  rows: z.array(z.int()),
  days: z.array(span),
  lines: z.array(lineDays),
});

/** An order against a party, or days of which it is not known whether there is one. */
export const actionSource = z.object({
  stateCode,
  actionId: z.string(),
  is: z.enum(['in force', 'not known']),
  from: z.iso.date(),
  until: z.iso.date(),
});

/** A sale on which the day depends by which the carrier is to appoint. */
export const soldSource = z.object({
  transactionId: objectId,
  stateCode,
  soldOn: z.iso.date(),
  linesOfAuthority: linesRequired(),
  carrierNaicCode: z.nullable(naicCode),
});

export const partySource = z.object({
  npn: z.nullable(npn),
  stateCode,
  rows: z.array(source),
  days: z.array(heldSource),
  actions: z.array(actionSource),
  verifiedAt: z.nullable(timestamp),
  sales: z.array(soldSource),
  ...ownWord.shape,
});

/** A version of a product's config. */
export const configSource = z.object({ ...complianceConfig.shape, recordedAt: timestamp });

/** Names and numbers of the carrier; its name counts where it has neither codes nor EINs. */
export const carrierSource = z.object({
  name: z.optional(z.string()),
  naicCodes: companyCodes,
  eins: z.array(z.string()),
  verifiedWithinDays: z.nullable(z.int()),
});

/** Everything that checks were answered from. */
export const receiptSources = z.object({
  parties: z.array(partySource),
  configs: z.array(configSource),
  classKinds: z.array(classKindVersion),
  carrier: carrierSource,
});

export type ReceiptSources = z.output<typeof receiptSources>;

/** SHA-256, in lowercase hex, of the RFC 8785 form. */
export const hashOf = (sources: ReceiptSources): string =>
  createHash('sha256')
    .update(canonicalize(sources) ?? '')
    .digest('hex');

/** Places of the parties of a check among the sources; null where it has none, or was not decided. */
export const partiesOfCheck = z.object({ seller: z.nullable(z.int()), agency: z.nullable(z.int()) });

type PartiesOfCheck = z.output<typeof partiesOfCheck>;

/** A state of a party: its head as the table of registry records has it, and the sales there. */
interface StoredState {
  readonly stateCode: string;
  readonly head: StateHead;
  readonly sales: readonly SaleDay[];
}

/** A party as a receipt stores it: first the state that was asked about, then its home states. */
const storedParty = z.object({
  ...z.pick(partySource, { npn: true, stateCode: true, verifiedAt: true }).shape,
  states: z.array(z.custom<StoredState>()),
  isHomeUnread: z.boolean(),
  isNotFound: z.boolean(),
  ...ownWord.shape,
});

type StoredParty = z.output<typeof storedParty>;

/** The sources as a receipt stores them. */
export const storedSources = z.object({ ...receiptSources.shape, parties: z.array(storedParty) });

export type StoredSources = z.output<typeof storedSources>;

const stateOfHolding = <Row extends { readonly stateCode: string }>({ said }: Holding<DatedSource<Row>>) =>
  said[0]?.row.source.stateCode ?? '';

/** The states of a holder that an answer about a state rests on: that state, and resident licenses in other ones. */
function statesIn(coverage: Coverage, askedState: string): StoredState[] {
  const { sales, licenses, appointments, orders, unread } = coverage.get(askedState) ?? emptyState;
  const homes = Map.groupBy(coverage.home(), ({ holding }) => stateOfHolding(holding));
  homes.delete(askedState);
  return [
    {
      stateCode: askedState,
      head: headOf<RowsOfKinds>({ ...emptyState, licenses, appointments, orders, unread }),
      sales,
    },
    ...Array.from(homes, ([state, home]) => {
      const licenses = home.map(({ holding }) => holding);
      const { orders, unread } = home[0] ?? emptyState;
      const head = headOf<RowsOfKinds>({ ...emptyState, licenses, orders, unread });
      return { stateCode: state, head, sales: [] };
    }),
  ];
}

/** The sources of checks, and the parties of each check. */
export function sourcesOf(
  checks: readonly ResolvedCheck[],
  { carrier, coverageOf, configsOf }: DecisionInputs,
): { readonly sources: StoredSources; readonly parties: readonly PartiesOfCheck[] } {
  const kinds = new Set<ClassKindVersion>();
  const parties = new Map<string, object>();
  const placeOf = (holder: { readonly npn: string | null } | null, state: string, word: OwnWord) => {
    if (holder === null) return null;
    const key = JSON.stringify([holder.npn, state, word]);
    if (!parties.has(key)) {
      const coverage = coverageOf(holder.npn, state);
      const states = statesIn(coverage, state);
      for (const kind of coverage.classKinds)
        if (states.some(({ stateCode: code }) => code === kind.stateCode)) kinds.add(kind);
      const [isHomeUnread, isNotFound] = [coverage.isHomeUnread(), coverage.isNotFound()];
      const verifiedAt = coverage.verifiedAt(state);
      parties.set(key, {
        npn: holder.npn,
        stateCode: state,
        states,
        isHomeUnread,
        isNotFound,
        verifiedAt,
        ...word,
      });
    }
    return [...parties.keys()].indexOf(key);
  };
  const partiesOfChecks = checks.map((check) => {
    const { seller, agency, stateCode: state, ofToday } = check;
    return isDecided(check)
      ? { seller: placeOf(seller, state, ofToday.seller), agency: placeOf(agency, state, ofToday.agency) }
      : { seller: null, agency: null };
  });
  const products = new Set(checks.filter(isDecided).flatMap(({ product }) => product?.productId ?? []));
  const { name, ...identity } = carrier;
  const sources = z.parse(storedSources, {
    parties: [...parties.values()],
    configs: [...products].flatMap(configsOf),
    classKinds: [...kinds],
    carrier: isKnownByName(carrier) ? carrier : identity,
  });
  return { sources, parties: partiesOfChecks };
}

/** The days of a license, a line, or an appointment. @param sourceOf what says so. */
const daysOf = <Row extends DatedRow>(days: readonly Span<Row>[], sourceOf: (mark?: Mark<Row>) => object) =>
  days.map(({ from, mark }) => ({
    from: from === always ? null : from,
    is: mark?.is ?? 'not in force',
    ...sourceOf(mark),
  }));

/** A party as the API shows it: each row once, which days name by its place. */
function partySourceOf({ states, isHomeUnread, isNotFound, ...party }: StoredParty) {
  const places = new Map<string, number>();
  const rows: object[] = [];
  const placeOf = (row: object): number => {
    const key = JSON.stringify(row);
    const place = places.get(key) ?? rows.push(row) - 1;
    places.set(key, place);
    return place;
  };
  const sourceOf =
    (kind: 'license' | 'appointment') =>
    <Row extends { readonly stateCode: string }>(holding: Holding<DatedSource<Row>>) => {
      const { said } = holding;
      const place = ({ row, statement: { id, at, recordedAt, by, isComplete } }: Mention<DatedSource<Row>>) =>
        placeOf({ ...row.source, kind, id, at, recordedAt, by, isComplete });
      return {
        kind,
        stateCode: stateOfHolding(holding),
        rows: said.map(place),
        days: daysOf(holding.days, (mark) => {
          const mention = said.find(({ row }) => row === mark?.row);
          return { row: mention === undefined ? null : place(mention), statedAt: mark?.statedAt ?? null };
        }),
        lines: holding.lines.map((line) => ({
          names: [...namesOf(line, 0)],
          days: daysOf(line.days, () => ({})),
        })),
      };
    };
  const days = states.flatMap(({ head }) => {
    const { licenses, appointments } = stateOfHead(head);
    return [...licenses.map(sourceOf('license')), ...appointments.map(sourceOf('appointment'))];
  });
  const gaps = [
    ...states.flatMap(({ head }) => head.unread),
    ...(isHomeUnread ? ['home license'] : []),
    ...(isNotFound ? ['npn'] : []),
  ];
  return {
    ...party,
    rows: [...rows, ...gaps.map((gap) => ({ kind: 'not known', of: gap }))],
    days,
    actions: states.flatMap(({ stateCode: state, head }) =>
      head.orders.map((order) => ({ ...order, stateCode: state })),
    ),
    sales: states.flatMap(({ sales }) =>
      sales.map(({ day: soldOn, lines: linesOfAuthority, carrierNaicCode = null, ...sale }) => ({
        ...sale,
        soldOn,
        linesOfAuthority,
        carrierNaicCode,
      })),
    ),
  };
}

/** The sources as the API shows them, and as they are hashed. */
export const shownSources = ({ parties, ...sources }: StoredSources): ReceiptSources =>
  z.parse(receiptSources, { ...sources, parties: parties.map(partySourceOf) });

function coverageOfParty(
  { states, isHomeUnread, isNotFound, verifiedAt }: StoredParty,
  kinds: readonly ClassKindVersion[],
): Coverage {
  const coverages = states.map(
    ({ stateCode: state, head, sales }) => [state, { ...stateOfHead(head), sales }] as const,
  );
  return {
    ...coverageFrom({
      states: new Map(coverages.map(([state, coverage]) => [state, () => coverage])),
      homes: () => coverages.map(([, coverage]) => coverage),
      classKinds: kinds,
      reports: [],
    }),
    isHomeUnread: () => isHomeUnread,
    isNotFound: () => isNotFound,
    verifiedAt: () => verifiedAt,
  };
}

/** The inputs from which a receipt is decided again. */
export function inputsOf(
  { parties, configs, classKinds: kinds, carrier }: StoredSources,
  knownAt: string,
  today: CalendarDate,
): DecisionInputs {
  return {
    knownAt,
    today,
    carrier: { ...carrier, name: carrier.name ?? '' },
    coverageOf(holderNpn, state) {
      const party = parties.find((source) => source.npn === holderNpn && source.stateCode === state);
      return party === undefined ? noCoverage : coverageOfParty(party, kinds);
    },
    configsOf: (productId) => configs.filter((config) => config.productId === productId),
  };
}

/** The payload of a receipt's signature. */
const receiptPayload = storedItem('sale-receipts/payload', {
  receiptId: objectId,
  organizationId: objectId,
  asOf: z.iso.date(),
  knownAt: timestamp,
  /** Time of issue, in Unix seconds. */
  iat: z.int(),
  /** The number of the rules that decided. */
  rules: z.int(),
  checks: z.array(answeredCheck),
  sourcesHash: z.string(),
});

export type ReceiptPayload = z.output<typeof receiptPayload>;

/** A check as it was resolved, beside what was answered of it. */
const resolvedCheck = z.object({
  isPresent: z.boolean(),
  found: z.array(reason),
  parties: partiesOfCheck,
});

/** A receipt as it is stored: what was signed, and everything that decided. */
const storedReceipt = storedItem('sale-receipts/kept', {
  jws: z.string(),
  resolved: z.array(resolvedCheck),
  sources: storedSources,
});

export type Receipt = z.output<typeof storedReceipt> & { readonly payload: ReceiptPayload };

const part = storedItem('sale-receipts/part', { part: z.instanceof(Uint8Array) });

const decompress = promisify(brotliDecompress);

/** The partition of a receipt's parts. */
export const receiptPartition = (organizationId: string, receiptId: string): string =>
  `${organizationId}#${receiptId}`;

/** An organization's receipt; undefined where it has none with that id. */
export async function findReceipt(
  table: Table,
  organizationId: string,
  receiptId: string,
): Promise<Receipt | undefined> {
  const parts = await collect(
    table.query(part, receiptPartition(organizationId, receiptId), { consistent: true }),
  );
  if (parts.length === 0) return undefined;
  const bytes = await decompress(Buffer.concat(parts.map((item) => item.part)));
  const receipt = parseStored(storedReceipt, JSON.parse(bytes.toString()));
  const [, signedPayload = ''] = receipt.jws.split('.');
  const payload = parseStored(receiptPayload, JSON.parse(Buffer.from(signedPayload, 'base64url').toString()));
  return { ...receipt, payload };
}
