import { type CarrierListFilters, recordedDays } from '../../shared/domain/carrier-lists/resource.ts';
import {
  actionList,
  appointmentList,
  licenseList,
  rowsOfCarrier,
} from '../../shared/domain/carrier-lists/rows.ts';
import { timeSince } from '../../shared/platform/contract/list-queries.ts';
import type { ComplianceOperation, Deps } from './function.ts';

/**
 * Passes on the rows of a list, unless what was recorded since the time that is asked for is not known any more.
 * @throws ApiError `validation_error` for a time before that, or before a restore.
 */
function unlessTooEarly<Page>(
  { recordedSince }: CarrierListFilters,
  now: Date,
  pages: AsyncIterable<Page>,
  { unlessRestored }: Pick<Deps, 'unlessRestored'>,
): AsyncIterable<Page> | Promise<AsyncIterable<Page>> {
  if (recordedSince === undefined) return pages;
  const since = timeSince('recordedSince', recordedSince, recordedDays, now);
  return unlessRestored(since, pages, 'recordedSince');
}

/** The licenses of the caller's producers and agencies. @throws ApiError as `unlessTooEarly`. */
export const listLicenses: ComplianceOperation<'listLicenses'> = ({ identity, query, now }, deps) =>
  unlessTooEarly(query, now, rowsOfCarrier(licenseList, deps, identity.organizationId, query, now), deps);

/** Their appointments. @throws ApiError as `unlessTooEarly`. */
export const listAppointments: ComplianceOperation<'listAppointments'> = ({ identity, query, now }, deps) =>
  unlessTooEarly(query, now, rowsOfCarrier(appointmentList, deps, identity.organizationId, query, now), deps);

/** The regulatory actions against them. @throws ApiError as `unlessTooEarly`. */
export const listRegulatoryActions: ComplianceOperation<'listRegulatoryActions'> = (
  { identity, query, now },
  deps,
) => unlessTooEarly(query, now, rowsOfCarrier(actionList, deps, identity.organizationId, query, now), deps);
