import { lastExpiringDay, type Renewal } from '../../shared/domain/decision/renewal.ts';
import { entityFilter } from '../../shared/domain/downstream-entities/own-entity.ts';
import type { ActionRequired } from '../../shared/domain/filings/action-required.ts';
import type { StoredFilingEntry } from '../../shared/domain/filings/resource.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import type { IndexedKey } from '../../shared/platform/data/common-keys.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { ofReadable } from '../../shared/platform/data/left-out.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { type CalendarDate, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import type { AgencyOperation } from './deps.ts';
import { findMissingAppointments, type MissingAppointment } from './missing-appointments.ts';
import { type LicenseRenewal, renewalsAmong } from './renewals.ts';

/** The members of an action that are needed to count and sort it. */
type Candidate = { readonly _id: string; readonly dueDate: CalendarDate | null } & (
  | { readonly filing: IndexedKey }
  | { readonly license: LicenseRenewal }
  | { readonly missing: MissingAppointment }
);

/** By due date, those without one last, then by id. */
const byDueDate = (one: Candidate, other: Candidate): number =>
  compare(one.dueDate ?? '9999', other.dueDate ?? '9999') || compare(one._id, other._id);

/** The action stays the same while its license goes from expiring to expired, and is another one after a renewal. */
const licenseActionId = (pk: string, sk: string, dueDate: CalendarDate | null): string =>
  derivedObjectId('license to renew', pk, sk, dueDate ?? '');

const nothing = {
  dueDate: null,
  npn: null,
  licenseNumber: null,
  filingId: null,
  upstreamDownstreamAssociationId: null,
  products: [],
};

const escalationAction = (_id: string, filing: StoredFilingEntry): ActionRequired => ({
  ...nothing,
  _id,
  type: 'open escalation',
  title: `Answer the question on the filing of policy ${filing.policyNumber}.`,
  downstreamEntityId: filing.downstreamEntityId ?? null,
  stateCode: filing.stateCode,
  filingId: filing._id,
});

function licenseAction(
  _id: string,
  { npn, licenseNumber, stateCode }: License,
  { renewalStatus, dueDate }: Renewal,
  downstreamEntityId: string | undefined,
): ActionRequired {
  const isExpired = renewalStatus === 'expired';
  return {
    ...nothing,
    _id,
    type: isExpired ? 'license expired' : 'license expiring',
    title: isExpired
      ? `Reinstate license ${licenseNumber} in ${stateCode}, which expired on ${dueDate}.`
      : `Renew license ${licenseNumber} in ${stateCode} by ${dueDate}.`,
    downstreamEntityId: downstreamEntityId ?? null,
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
  title: `Obtain an appointment with ${market.upstreamEntityName} in ${stateCode}.`,
  downstreamEntityId: market.downstreamEntityId,
  stateCode,
  npn,
  upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
  products: [...products],
});

/**
 * A page of what an agency has to do, derived when it is read, so that nothing can be out of date. Every page
 * reads the keys of the waiting filings and of the licenses that are due, the entities and markets, and what
 * `findMissingAppointments` reads; filings and licenses themselves are read only for the page. In sequence that is
 * five reads: keys, items of entities and markets, records of markets, the page's items; one more for an entity filter.
 */
export const listAgencyActionsRequired: AgencyOperation<'listAgencyActionsRequired'> = async (
  { identity: { organizationId: owner }, query, now },
  deps,
) => {
  const today = newYorkDate(now);
  const ownership = { organizationId: owner, moves: deps.movesOf(owner) };
  const entity = await entityFilter(deps.ownEntity, owner, query.downstreamEntityId);
  const entitiesRead = entity === undefined ? deps.agency.allEntities(ownership) : Promise.resolve([entity]);

  const appointmentsMissing = async () => {
    const [entities, markets] = await Promise.all([
      entitiesRead,
      deps.agency.allMarkets(ownership, entity?._id),
    ]);
    return findMissingAppointments(owner, markets, entities, now, deps);
  };
  const licensesDue = async () => {
    if (entity?.npn === null) return [];
    const selection = { npn: entity?.npn, until: lastExpiringDay(today) };
    const renewals = await renewalsAmong(deps.registry.licenseKeys(owner, selection), today);
    return renewals.filter(({ renewal }) => renewal.isToBeRenewed);
  };
  const [filings, licenses, missing, entities] = await Promise.all([
    deps.filings.keysOf(ownership, entity?._id),
    licensesDue(),
    appointmentsMissing(),
    entitiesRead,
  ]);

  const candidates: Candidate[] = [
    ...filings.map((filing) => ({
      _id: derivedObjectId('open escalation', owner, filing.sk),
      dueDate: null,
      filing,
    })),
    ...licenses.map((license) => ({
      _id: licenseActionId(license.key.pk, license.key.sk, license.renewal.dueDate),
      dueDate: license.renewal.dueDate,
      license,
    })),
    ...missing.map((one) => ({
      _id: derivedObjectId(
        'missing appointment',
        owner,
        one.market.upstreamDownstreamAssociationId,
        one.stateCode,
      ),
      dueDate: null,
      missing: one,
    })),
  ].sort(byDueDate);
  const first = (query.page - 1) * query.limit;
  const shown = candidates.slice(first, first + query.limit);

  const [entries, found] = await Promise.all([
    deps.filings.entriesOf(shown.flatMap((one) => ('filing' in one ? [one.filing] : []))),
    deps.registry.licensesOf(shown.flatMap((one) => ('license' in one ? [one.license.key] : []))),
  ]);
  const filingsById = new Map(entries.map((entry) => [entry._id, entry]));
  const entityOf = new Map(entities.map(({ _id, npn }) => [npn, _id]));
  // An item that was dealt with since its key was read is gone or has changed.
  const items = ofReadable(shown, (one): ActionRequired[] => {
    if ('missing' in one) return [appointmentAction(one._id, one.missing)];
    if ('filing' in one) {
      const filing = filingsById.get(one.filing.sk);
      return filing?.actionRequired === true ? [escalationAction(one._id, filing)] : [];
    }
    const { key, renewal } = one.license;
    const license = found(key);
    return license === undefined ? [] : [licenseAction(one._id, license, renewal, entityOf.get(license.npn))];
  }).flat();
  return { items, total: candidates.length };
};
