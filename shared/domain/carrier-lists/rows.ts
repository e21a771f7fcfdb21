// A carrier's own licenses, appointments, and regulatory actions: heads of all its holders, read page by page, filtered, and shown.
import * as z from 'zod/mini';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { mapAhead, mapPages } from '#platform/data/concurrently.ts';
import { storedItem } from '#platform/data/stored.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { agentKeys, agentLink, agentOfNpn, storedAgent } from '../agents/stored.ts';
import { evidenceKey } from '../associations/match-evidence.ts';
import { associationKeys, live, storedAssociation } from '../associations/stored.ts';
import { endsOf } from '../decision/dated.ts';
import { dayBefore, includes, never, writtenDate } from '../decision/dates.ts';
import { shownLicenses, shownRows } from '../decision/held.ts';
import { stateOn } from '../decision/holdings.ts';
import { lastTermOf } from '../decision/renewal.ts';
import { comparable, npn } from '../identifiers/identifiers.ts';
import { associationsOfNpn } from '../npn-holders/holders.ts';
import type { Appointment, License, RegulatoryAction } from '../registry/resources.ts';
import type { RecordedHolders } from '../registry-records/store.ts';
import { registryKeys } from '../registry-records/stored.ts';
import type { HolderCoverage } from '../registry-records/stored-records.ts';
import type { Tables } from '../tables.ts';
import {
  type CarrierListFilters,
  type carrierLicense,
  takenBackAction,
  takenBackAppointment,
  takenBackLicense,
} from './resource.ts';

type HolderState = NonNullable<ReturnType<HolderCoverage['get']>>;

export type InState = { readonly stateCode: string };

/** A license, an appointment, or an action, and by what it is filtered. */
interface Entry<Row> {
  readonly row: Row;
  readonly isInForce: boolean;
  readonly recordedAt: string;
  /** The day that `endsFrom` and `endsUntil` are compared with. */
  readonly ends: CalendarDate | null;
  readonly companyCode: string | null;
}

/** A list of licenses, appointments, or actions. */
export interface CarrierList<Row, Key> {
  /** Entries of a state, as it is known, on a day. */
  readonly entriesOf: (state: HolderState, day: CalendarDate) => Entry<Row>[];
  /** Entries of a state that imports took back. */
  readonly takenBackOf: (state: HolderState) => Entry<Key>[];
}

/** The keys of rows of a kind that were taken back: in force on no day, and ending on none. */
const takenBackRows =
  <Key extends z.ZodMiniType<InState>>(kind: HolderState['takenBack'][number]['kind'], key: Key) =>
  ({ takenBack }: HolderState): Entry<z.output<Key>>[] =>
    takenBack
      .filter((entry) => entry.kind === kind)
      .map(({ row, recordedAt }) => ({
        row: z.parse(key, { ...row, isDeleted: true, recordedAt }),
        recordedAt,
        companyCode: 'companyCode' in row ? row.companyCode : null,
        isInForce: false,
        ends: null,
      }));

export const licenseList: CarrierList<License, z.output<typeof takenBackLicense>> = {
  entriesOf: ({ licenses }, day) =>
    licenses.flatMap((holding) =>
      shownLicenses(holding, day).map((row) => {
        const end = endsOf(lastTermOf(holding, row));
        const isInForce = stateOn(holding, day) === 'in force';
        const { recordedAt = '' } = holding;
        return { row, isInForce, recordedAt, ends: end === never ? null : dayBefore(end), companyCode: null };
      }),
    ),
  takenBackOf: takenBackRows('license', takenBackLicense),
};

export const appointmentList: CarrierList<Appointment, z.output<typeof takenBackAppointment>> = {
  entriesOf: ({ appointments }, day) =>
    appointments.flatMap((holding) =>
      shownRows(holding, day).map((row) => {
        const { renewalDate, companyCode } = row;
        const isInForce = stateOn(holding, day) === 'in force';
        const { recordedAt = '' } = holding;
        return { row, isInForce, recordedAt, ends: renewalDate && writtenDate(renewalDate), companyCode };
      }),
    ),
  takenBackOf: takenBackRows('appointment', takenBackAppointment),
};

export const actionList: CarrierList<RegulatoryAction, z.output<typeof takenBackAction>> = {
  entriesOf: ({ actions, orders }, day) =>
    actions.map((action) => {
      const isOf = ({ actionId }: (typeof orders)[number]): boolean => actionId === action.row.actionId;
      const isInForce = orders.some(
        (order) => isOf(order) && order.is === 'in force' && includes(order, day),
      );
      return { ...action, isInForce, ends: null, companyCode: null };
    }),
  takenBackOf: takenBackRows('regulatory action', takenBackAction),
};

/** The owner of an NPN. */
type Holder = Pick<
  z.output<typeof carrierLicense>,
  'npn' | 'agentId' | 'firstName' | 'lastName' | 'downstreamEntityAssociationIds'
>;

/** Whether a filter is not given, or a value is what it asks for. */
const fits = <Value>(filter: Value | undefined, value: Value): boolean =>
  filter === undefined || filter === value;

/** Whether all filters are met: the one place where they are, and a filter that is not here does not compile. */
function isListed(
  filters: CarrierListFilters,
  holder: Holder,
  { row, isInForce, recordedAt, ends, companyCode }: Entry<InState>,
): boolean {
  const { endsFrom, endsUntil, companyCode: company, recordedSince } = filters;
  const { downstreamEntityAssociationId: associationId, inForceOn } = filters;
  const isMet: Record<keyof CarrierListFilters, boolean> = {
    stateCode: fits<string>(filters.stateCode, row.stateCode),
    npn: fits(filters.npn, holder.npn),
    agentId: fits<string | null>(filters.agentId, holder.agentId),
    downstreamEntityAssociationId:
      associationId === undefined || holder.downstreamEntityAssociationIds.includes(associationId),
    inForceOn: inForceOn === undefined || isInForce,
    endsFrom: endsFrom === undefined || (ends !== null && ends >= endsFrom),
    endsUntil: endsUntil === undefined || (ends !== null && ends <= endsUntil),
    companyCode: fits(company && comparable(company), comparable(companyCode)),
    recordedSince: recordedSince === undefined || recordedAt >= recordedSince.toISOString(),
  };
  return Object.values(isMet).every((met) => met);
}

/** Sources of the lists. */
export interface CarrierListSources {
  readonly tables: Tables<'agents' | 'associations' | 'registryRecords'>;
  readonly recordedHolders: RecordedHolders;
}

const subscribedNpn = storedItem('registry-records/subscribed-npn', { npn });

/** Holders that are read at once: their own items are one batch. */
const holdersAtOnce = batchGetKeys;

/** The NPNs of the holders who may be asked about: those that filters name, else all that the organization has records of. */
async function* npnsOf(
  { tables: { agents, associations, registryRecords } }: CarrierListSources,
  owner: string,
  { npn: named, agentId, downstreamEntityAssociationId: associationId }: CarrierListFilters,
): AsyncGenerator<string[]> {
  const consistent = { consistent: false };
  if (named !== undefined) yield [named];
  else if (agentId !== undefined) {
    const agent = await agents.getAll(storedAgent, [agentKeys.agent(owner, agentId)], consistent);
    yield agent.map((agentItem) => agentItem.npn);
  } else if (associationId !== undefined) {
    const key = associationKeys.association(owner, associationId);
    const ofAgency = live(await associations.get(storedAssociation, key, consistent))?.agency.npn ?? null;
    yield ofAgency === null ? [] : [ofAgency];
    const { pk } = agentKeys.atAssociation(owner, associationId, '');
    for await (const links of agents.query(agentLink, pk, { limit: holdersAtOnce }))
      yield links.map((link) => link.npn).filter((holderNpn) => holderNpn !== ofAgency);
  } else {
    const { pk } = registryKeys.subscription(owner, '');
    const pages = registryRecords.query(subscribedNpn, pk, { limit: holdersAtOnce });
    yield* mapPages(pages, (page) => page.map((subscription) => subscription.npn));
  }
}

/** Reads the owners of NPNs: an agent, an agency, both, or nobody any more. */
async function holdersOf(
  { agents, associations }: CarrierListSources['tables'],
  owner: string,
  npns: readonly string[],
): Promise<readonly Holder[]> {
  const consistent = { consistent: false };
  const [idsOfNpns, ofAgencies] = await Promise.all([
    agents.getAll(
      agentOfNpn,
      npns.map((holderNpn) => agentKeys.npn(owner, holderNpn)),
      consistent,
    ),
    associations.getAll(
      associationsOfNpn,
      npns.map((holderNpn) => evidenceKey(owner, 'NPN', holderNpn)),
      consistent,
    ),
  ]);
  const storedAgents = await agents.getAll(
    storedAgent,
    idsOfNpns.map(({ agentId }) => agentKeys.agent(owner, agentId)),
    consistent,
  );
  const agentsOfNpns = new Map(
    storedAgents.flatMap((agent) => (agent.isDeleted ? [] : [[agent.npn, agent]])),
  );
  const idsOfAgencies = new Map(ofAgencies.map(({ sk, associationIds }) => [sk, associationIds]));
  return npns.map((holderNpn) => {
    const agent = agentsOfNpns.get(holderNpn);
    const ids = [...(agent?.downstreamEntityAssociationIds ?? []), ...(idsOfAgencies.get(holderNpn) ?? [])];
    return {
      npn: holderNpn,
      agentId: agent?._id ?? null,
      firstName: agent?.firstName ?? null,
      lastName: agent?.lastName ?? null,
      downstreamEntityAssociationIds: [...new Set(ids)],
    };
  });
}

/**
 * The rows of a list that match the filters, holder by holder, page by page; with `recordedSince`, the keys of those that were taken
 * back since, too.
 */
export async function* rowsOfCarrier<Row extends InState, Key extends InState>(
  list: CarrierList<Row, Key>,
  sources: CarrierListSources,
  owner: string,
  filters: CarrierListFilters,
  now: Date,
) {
  const { stateCode, inForceOn: day = newYorkDate(now), recordedSince } = filters;
  const statesOf = () => (stateCode === undefined ? undefined : [stateCode]);
  const rowsOf = (holder: Holder, coverage: HolderCoverage | undefined) =>
    Array.from(coverage?.keys() ?? [], (stateKey) => {
      const state = coverage?.get(stateKey);
      if (state === undefined) return [];
      const isAsked = (entry: Entry<InState>) => isListed(filters, holder, entry);
      const rows = list.entriesOf(state, day).filter(isAsked);
      const takenBackKeys = recordedSince === undefined ? [] : list.takenBackOf(state).filter(isAsked);
      const verifiedAt = rows.length === 0 ? null : (coverage?.verifiedAt(stateKey) ?? null);
      return [
        ...rows.map(({ row, isInForce, recordedAt }) => ({
          ...holder,
          ...row,
          isInForce,
          verifiedAt,
          recordedAt,
        })),
        ...takenBackKeys.map(({ row }) => row),
      ];
    }).flat();
  yield* mapAhead(npnsOf(sources, owner, filters), async (npns) => {
    const [holders, coverages] = await Promise.all([
      holdersOf(sources.tables, owner, npns),
      sources.recordedHolders.coveragesOf(owner, npns, { classKinds: [], statesOf }),
    ]);
    return holders.flatMap((holder) => rowsOf(holder, coverages.get(holder.npn)));
  });
}
