import type * as z from 'zod/mini';
import type { SimulatedRecord } from '../../shared/domain/registry/simulated-record.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { SandboxOperation } from './function.ts';
import type { ownRegistryRecord } from './routes.ts';

type Shown = z.output<typeof ownRegistryRecord>;

/** A record as its customer sees it. @throws ApiError `not_found` for one that is not there, or was taken back. */
function shown(npn: string, record: SimulatedRecord | undefined): Shown {
  if (record === undefined || record.isTakenBack === true) throw notFound();
  const { entity, licenses = null, appointments = null, regulatoryActions = null } = record;
  return {
    npn,
    entity: entity ?? null,
    licenses,
    appointments,
    regulatoryActions,
    isNotFound: entity === null,
  };
}

/** @throws ApiError `not_found` where the caller put none. */
export const getSandboxRegistryRecord: SandboxOperation<'getSandboxRegistryRecord'> = async (
  { identity, params: { npn } },
  { records },
) => shown(npn, await records.find(identity.organizationId, npn));

/** Puts a record in place of an earlier one as a whole (OpenAPI, "replaceSandboxRegistryRecord"). */
export const replaceSandboxRegistryRecord: SandboxOperation<'replaceSandboxRegistryRecord'> = async (
  { identity, params: { npn }, body, now, recordResponse },
  { records },
) => {
  const { isNotFound, entity, licenses, appointments, regulatoryActions } = body;
  const said = { entity, licenses, appointments, regulatoryActions };
  const record = isNotFound === true ? { entity: null } : said;
  const answer = shown(npn, record);
  await records.put(identity.organizationId, npn, record, now, recordResponse(answer));
  return answer;
};

/** @throws ApiError `not_found` where the caller put none. */
export const deleteSandboxRegistryRecord: SandboxOperation<'deleteSandboxRegistryRecord'> = async (
  { identity, params: { npn }, now, recordResponse },
  { records },
) => {
  const answer = shown(npn, await records.find(identity.organizationId, npn));
  await records.put(identity.organizationId, npn, { isTakenBack: true }, now, recordResponse(answer));
  return answer;
};
