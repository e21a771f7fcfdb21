import { ownPage } from '../../shared/domain/downstream-entities/own-entity.ts';
import { ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import { filingView } from '../../shared/domain/filings/view.ts';
import { changesSince } from '../../shared/platform/contract/updated-since.ts';
import { linkFiles, ownFiling } from './change-filing.ts';
import type { FilingOperation } from './function.ts';

/**
 * Every filing of the carrier that matches the filters, or what has changed since a time.
 * @throws ApiError `validation_error`, as `changesSince` and for a time before a restore.
 */
export const listFilings: FilingOperation<'listFilings'> = (
  { identity: { organizationId }, query, now },
  { lists, changesSince: answer },
) => {
  const since = changesSince(query, now);
  return since === undefined
    ? lists.all(organizationId, query)
    : answer(since, lists.changedSince(organizationId, since));
};

/**
 * A page of the agency's filings that match the filters.
 * @throws ApiError `not_found` for an entity outside the organization.
 */
export const listAgencyFilings: FilingOperation<'listAgencyFilings'> = (request, deps) =>
  ownPage(request, deps, (ownership, _entity, { page, limit, ...filters }) =>
    deps.lists.page(ownership, filters, { page, limit }),
  );

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted filing. */
export const getFiling: FilingOperation<'getFiling'> = async (
  { identity, params, now },
  { filings, movesOf, objectStore },
) => {
  const found = await ownFiling(filings, identity, params.filingId, ownershipOf(identity, movesOf));
  return filingView(found, linkFiles(objectStore, now));
};
