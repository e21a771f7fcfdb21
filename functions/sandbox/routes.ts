import * as z from 'zod/mini';
import { npn } from '#domain/identifiers/identifiers.ts';
import { registryHolder } from '#domain/registry/registry.ts';
import {
  lineFields,
  regulatoryActionFields,
  simulatedAppointmentFields,
  simulatedLicenseFields,
} from '#domain/registry-records/operator-fields.ts';
import { objectId, textUpTo } from '#platform/contract/primitives.ts';
import { getOne, routeGroup } from '#platform/contract/route.ts';

const access = { kind: 'any', feature: 'sandbox' } as const;

export const entity = z.strictObject({
  kind: registryHolder.shape.kind,
  name: textUpTo(300),
});

const line = z.strictObject({
  ...lineFields.shape,
  code: z.string().check(z.maxLength(50)),
  name: z.string().check(z.maxLength(300)),
});

export const license = z.strictObject({
  ...simulatedLicenseFields.shape,
  linesOfAuthority: z._default(z.array(line), []),
});

export const appointment = z.strictObject(simulatedAppointmentFields.shape);

export const regulatoryAction = z.strictObject(regulatoryActionFields.shape);

/** Record of an NPN that the simulated registry answers; members that are left out keep its own answer. */
export const newRegistryRecord = z
  .strictObject({
    entity: z.optional(entity),
    licenses: z.optional(z.array(license)),
    appointments: z.optional(z.array(appointment)),
    regulatoryActions: z.optional(z.array(regulatoryAction)),
    isNotFound: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ isNotFound = false, ...lists }) => {
      const isSaid = Object.values(lists).some((list) => list !== undefined);
      return isSaid !== isNotFound;
    }, 'requires entity, licenses, appointments, or regulatoryActions, or isNotFound without them'),
  );

/** Such a record as it was put. */
export const ownRegistryRecord = z.object({
  npn,
  entity: z.nullable(entity),
  licenses: z.nullable(z.array(license)),
  appointments: z.nullable(z.array(appointment)),
  regulatoryActions: z.nullable(z.array(regulatoryAction)),
  isNotFound: z.boolean(),
});

/** Records at most that an organization has put. */
export const mostRecords = 1_000;

/** A nightly run that was asked for. */
export const startedRun = z.object({ runId: objectId });

export const nightlyRun = z.object({
  status: z.enum(['running', 'broken off', 'done']),
  events: z.int(),
});

const path = '/v2/sandbox/registry-records/{npn}';
const params = { npn };
const ownRecordAnswer = { status: 200, one: ownRegistryRecord } as const;

export const sandboxRoutes = routeGroup('sandbox', {
  getSandboxRegistryRecord: { ...getOne(path, access, ownRegistryRecord), params },
  replaceSandboxRegistryRecord: {
    method: 'PUT',
    path,
    access,
    params,
    takesUnknownIds: true,
    body: newRegistryRecord,
    answer: ownRecordAnswer,
    errors: ['conflict', 'transient_transaction_error'],
  },
  deleteSandboxRegistryRecord: {
    method: 'DELETE',
    path,
    access,
    params,
    answer: ownRecordAnswer,
    errors: ['transient_transaction_error'],
  },
  createSandboxNightlyRun: {
    method: 'POST',
    path: '/v2/sandbox/nightly-run',
    access,
    answer: { status: 202, one: startedRun },
    errors: ['conflict', 'transient_transaction_error', 'service_unavailable'],
  },
  getSandboxNightlyRun: {
    ...getOne('/v2/sandbox/nightly-run/{runId}', access, nightlyRun),
    params: { runId: objectId },
  },
});
