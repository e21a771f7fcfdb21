import { tooEarly } from '../../shared/platform/contract/errors.ts';
import type { ComplianceOperation } from './function.ts';

const dayMs = 24 * 3_600_000;

/** Days for which what was recorded is listed. */
export const recordedDays = 400;

/**
 * What was recorded of the caller's licenses, appointments, and regulatory actions since a time, oldest first.
 * @throws ApiError `validation_error` for a time too long ago, or among those that a restore took away.
 */
export const listRegistryChanges: ComplianceOperation<'listRegistryChanges'> = (
  { identity, query: { recordedSince, ...filters }, now },
  { versions, recordedSince: answer },
) => {
  const since = recordedSince.toISOString();
  const earliest = new Date(now.getTime() - recordedDays * dayMs).toISOString();
  if (since < earliest) {
    throw tooEarly(
      'recordedSince',
      `must not be earlier than ${earliest}, ${recordedDays} days ago`,
      earliest,
    );
  }
  return answer(since, versions.since(identity.organizationId, since, filters));
};
