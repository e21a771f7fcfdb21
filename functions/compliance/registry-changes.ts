import type { RecordedVersions } from '../../shared/domain/registry-records/versions.ts';
import type { ChangesSince } from '../../shared/platform/changes/restored.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { complianceRoutes } from './routes.ts';

const dayMs = 24 * 3_600_000;

/** Days for which what was recorded is listed. */
export const recordedDays = 400;

/**
 * What was recorded of the caller's licenses, appointments, and regulatory actions since a time, oldest first.
 * @throws ApiError `validation_error` for a time too long ago, or among those that a restore took away.
 */
export const listRegistryChanges: Operation<
  typeof complianceRoutes.routes.listRegistryChanges,
  { readonly versions: RecordedVersions; readonly recordedSince: ChangesSince }
> = ({ identity, query: { recordedSince, ...filters }, now }, { versions, recordedSince: answer }) => {
  const earliest = new Date(now.getTime() - recordedDays * dayMs);
  if (recordedSince < earliest) {
    throw invalid({
      path: 'recordedSince',
      message: `must not be earlier than ${earliest.toISOString()}, ${recordedDays} days ago`,
    });
  }
  const since = recordedSince.toISOString();
  return answer(since, versions.since(identity.organizationId, since, filters));
};
