import { lastExpiringDay, type Renewal } from '#domain/decision/renewal.ts';
import { entityFilter, type StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import type { ActionRequired, StoredFilingEntry } from '#domain/filings/resource.ts';
import { licensingKeys } from '#domain/licensing/requests.ts';
import type { License } from '#domain/registry/resources.ts';
import { readEach } from '#platform/data/concurrently.ts';
import { compare, derivedObjectId } from '#platform/data/keys.ts';
import type { IndexedKey } from '#platform/data/query-pages.ts';
import { pageAmong } from '#platform/data/table.ts';
import { type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import {
  findMissingAppointments,
  type LicenseRenewal,
  type MissingAppointment,
  renewalsAmong,
} from './lists.ts';
import { agencyRoutes } from './routes.ts';
import type { AgencySources } from './store.ts';

/** The members of an action that are needed to count, filter and sort it. */
type Candidate = Pick<ActionRequired, '_id' | 'type' | 'dueDate'> &
  (
    | { readonly filing: IndexedKey }
    | { readonly license: LicenseRenewal }
    | { readonly missing: MissingAppointment }
  );

/** Order by due date, those without one last, then by id. */
const byDueDate = (candidate: Candidate, otherCandidate: Candidate): number =>
  compare(candidate.dueDate ?? '9999', otherCandidate.dueDate ?? '9999') ||
  compare(candidate._id, otherCandidate._id);

/** The action stays the same while its license goes from expiring to expired, and is another one after a renewal. */
const licenseActionId = (pk: string, sk: string, dueDate: CalendarDate | null): string =>
  derivedObjectId('license to renew', pk, sk, dueDate ?? '');

const nothing = {
  downstreamEntityIds: [],
  dueDate: null,
  npn: null,
  licenseNumber: null,
  filingId: null,
  licenseRequestId: null,
  upstreamDownstreamAssociationId: null,
  branchName: null,
  products: [],
};

const escalationAction = (_id: string, filing: StoredFilingEntry): ActionRequired => ({
  ...nothing,
  _id,
  type: 'open escalation',
  title: `Answer the question on the filing of policy ${filing.policyNumber}.`,
  downstreamEntityId: filing.downstreamEntityId ?? null,
  downstreamEntityIds: filing.downstreamEntityId === undefined ? [] : [filing.downstreamEntityId],
  stateCode: filing.stateCode,
  filingId: filing._id,
});

const licenseActionType = ({ renewalStatus }: Pick<Renewal, 'renewalStatus'>): ActionRequired['type'] =>
  renewalStatus === 'expired' ? 'license expired' : 'license expiring';

function licenseAction(
  _id: string,
  { npn, licenseNumber, stateCode }: License,
  { renewalStatus, dueDate }: Renewal,
  entityFields: Pick<ActionRequired, 'downstreamEntityId' | 'downstreamEntityIds' | 'licenseRequestId'>,
): ActionRequired {
  const type = licenseActionType({ renewalStatus });
  return {
    ...nothing,
    ...entityFields,
    _id,
    type,
    title:
      type === 'license expired'
        ? `Reinstate license ${licenseNumber} in ${stateCode}, which expired on ${dueDate}.`
        : `Renew license ${licenseNumber} in ${stateCode} by ${dueDate}.`,
    stateCode,
    dueDate,
    npn,
    licenseNumber,
  };
}

const appointmentAction = (
  _id: string,
  { market, npn, stateCode, products }: MissingAppointment,
): ActionRequired => ({
  ...nothing,
  _id,
  type: 'missing appointment',
  title: `Obtain an appointment with ${market.upstreamEntityName}${market.branchName === null ? '' : ` (${market.branchName})`} in ${stateCode}.`,
  downstreamEntityId: market.downstreamEntityId,
  downstreamEntityIds: [market.downstreamEntityId],
  stateCode,
  npn,
  upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
  branchName: market.branchName,
  products: [...products],
});

/**
 * A page of what an agency has to do, derived when it is read, so that nothing can be out of date. Every page
 * reads the keys of the waiting filings and of the licenses that are due, the entities and markets, and what
 * `findMissingAppointments` reads; filings and licenses themselves are read only for the page. In sequence that is
 * six reads: keys, items of entities and markets, records of markets, the page's items, open requests; one more for an entity
 * filter.
 */
export const agencyActions = operationsOf(agencyRoutes, (sources: AgencySources) => ({
  async listAgencyActionsRequired({ identity: { organizationId: owner }, query, now }) {
    const today = newYorkDate(now);
    const entity = await entityFilter(sources.ownEntity, owner, query.downstreamEntityId);
    const entitiesRead = entity === undefined ? sources.agency.allEntities(owner) : Promise.resolve([entity]);

    const isWanted = (...types: readonly ActionRequired['type'][]): boolean =>
      query.type === undefined || types.includes(query.type);

    const appointmentsMissing = async () => {
      if (!isWanted('missing appointment')) return [];
      const [entities, markets] = await Promise.all([
        entitiesRead,
        sources.agency.allMarkets(owner, entity?._id),
      ]);
      return findMissingAppointments(owner, markets, entities, now, sources);
    };
    const licensesDue = async () => {
      if (entity?.npn === null || !isWanted('license expiring', 'license expired')) return [];
      const selection = { npn: entity?.npn, until: lastExpiringDay(today) };
      const renewals = await renewalsAmong(sources.lists.licenseKeys(owner, selection), today);
      return renewals.filter(({ renewal }) => renewal.isToBeRenewed);
    };
    const [filings, licenses, missing, entities] = await Promise.all([
      isWanted('open escalation') ? sources.filings.keysOf(owner, entity?._id) : [],
      licensesDue(),
      appointmentsMissing(),
      entitiesRead,
    ]);

    const allCandidates: Candidate[] = [
      ...filings.map((filing) => ({
        type: 'open escalation' as const,
        _id: derivedObjectId('open escalation', owner, filing.sk),
        dueDate: null,
        filing,
      })),
      ...licenses.map((license) => ({
        type: licenseActionType(license.renewal),
        _id: licenseActionId(license.key.pk, license.key.sk, license.renewal.dueDate),
        dueDate: license.renewal.dueDate,
        license,
      })),
      ...missing.map((appointment) => ({
        type: 'missing appointment' as const,
        _id: derivedObjectId(
          'missing appointment',
          owner,
          appointment.market.upstreamDownstreamAssociationId,
          appointment.stateCode,
        ),
        dueDate: null,
        missing: appointment,
      })),
    ];
    const { dueBefore } = query;
    const candidates = allCandidates
      .filter(
        ({ type, dueDate }) =>
          isWanted(type) && (dueBefore === undefined || (dueDate !== null && dueDate < dueBefore)),
      )
      .sort(byDueDate);
    const shownCandidates = pageAmong(candidates, query);

    const [entries, licenseOf, entitiesOf] = await Promise.all([
      sources.filings.entriesOf(
        shownCandidates.flatMap((candidate) => ('filing' in candidate ? [candidate.filing] : [])),
      ),
      sources.recordedHolders.licensesOf(
        owner,
        shownCandidates.flatMap((candidate) => ('license' in candidate ? [candidate.license.key] : [])),
        today,
      ),
      readConcerned(
        owner,
        shownCandidates.flatMap((candidate) => ('license' in candidate ? [candidate.license.key.npn] : [])),
        entities,
        sources,
      ),
    ]);
    const filingsById = new Map(entries.map((entry) => [entry._id, entry]));
    const licensesById = new Map(
      shownCandidates.flatMap((candidate) => {
        const license = 'license' in candidate ? licenseOf(candidate.license.key)?.row : undefined;
        return license === undefined ? [] : [[candidate._id, license] as const];
      }),
    );
    const openRequestOf = await readOpenRequests([...licensesById.values()], entitiesOf, owner, sources);
    // An item that was dealt with since its key was read is gone or has changed.
    const items = shownCandidates.flatMap((candidate): ActionRequired[] => {
      if ('missing' in candidate) return [appointmentAction(candidate._id, candidate.missing)];
      if ('filing' in candidate) {
        const filing = filingsById.get(candidate.filing.sk);
        return filing?.actionRequired === true ? [escalationAction(candidate._id, filing)] : [];
      }
      const license = licensesById.get(candidate._id);
      return license === undefined
        ? []
        : [
            licenseAction(candidate._id, license, candidate.license.renewal, {
              downstreamEntityId: entities.findLast(({ npn }) => npn === license.npn)?._id ?? null,
              downstreamEntityIds: entitiesOf(license.npn).map(({ _id }) => _id),
              licenseRequestId: openRequestOf(license),
            }),
          ];
    });
    return { items, total: candidates.length };
  },
}));

/** The entities that the renewal of an NPN's license concerns. */
type EntitiesOf = (npn: string) => readonly StoredDownstreamEntity[];

/** The entities with an NPN, else those for which the producer works. */
async function readConcerned(
  owner: string,
  npns: readonly string[],
  entities: readonly StoredDownstreamEntity[],
  { agency }: AgencySources,
): Promise<EntitiesOf> {
  const withNpn = Map.groupBy(entities, ({ npn }) => npn ?? '');
  const ofProducers = await readEach(
    npns.filter((npn) => !withNpn.has(npn)),
    (npn) => agency.entitiesOfProducer(owner, npn),
  );
  return (npn) => withNpn.get(npn) ?? entities.filter(({ _id }) => ofProducers.get(npn)?.includes(_id));
}

/** The open request for each of these licenses, of any of the entities that it concerns. */
async function readOpenRequests(
  licenses: readonly License[],
  entitiesOf: EntitiesOf,
  owner: string,
  { requests }: AgencySources,
): Promise<(license: License) => string | null> {
  const keysOf = (license: License) =>
    entitiesOf(license.npn).map((entity) =>
      licensingKeys.openRequest(owner, { ...license, downstreamEntityId: entity._id }),
    );
  const requestAt = await requests.openAt(licenses.flatMap(keysOf));
  return (license) =>
    keysOf(license)
      .map(requestAt)
      .find((id) => id !== undefined) ?? null;
}
