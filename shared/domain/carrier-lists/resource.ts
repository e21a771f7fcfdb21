import * as z from 'zod/mini';
import { instant, objectId, stateCode, timestamp } from '#platform/contract/primitives.ts';
import { companyCode, npn } from '../identifiers/identifiers.ts';
import { actionIdentity, appointment, license, regulatoryAction } from '../registry/resources.ts';

/** Days for which a list says what was recorded since, and what was taken back. */
export const recordedDays = 400;

const holder = z.object({
  npn,
  agentId: z.nullable(objectId),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  downstreamEntityAssociationIds: z.array(objectId),
});

const knownFields = z.object({
  isInForce: z.boolean(),
  verifiedAt: z.nullable(timestamp),
  recordedAt: timestamp,
});

/** A license of a producer or an agency of the carrier. */
export const carrierLicense = z.object({ ...holder.shape, ...license.shape, ...knownFields.shape });

/** An appointment of one. */
export const carrierAppointment = z.object({
  ...holder.shape,
  ...appointment.shape,
  ...knownFields.shape,
});

/** A regulatory action against one. */
export const carrierAction = z.object({
  ...holder.shape,
  ...regulatoryAction.shape,
  ...knownFields.shape,
});

const takenBack = z.object({ isDeleted: z.literal(true), recordedAt: timestamp });

/** The key of a license that an import has taken back. */
export const takenBackLicense = z.object({
  npn,
  stateCode,
  ...z.pick(license, { licenseNumber: true, licenseClassCode: true, licenseClassName: true }).shape,
  ...takenBack.shape,
});

/** The key of such an appointment. */
export const takenBackAppointment = z.object({
  npn,
  stateCode,
  ...z.pick(appointment, {
    carrierName: true,
    ein: true,
    companyCode: true,
    lineOfAuthorityName: true,
    lineOfAuthorityCode: true,
    countyName: true,
    countyCode: true,
  }).shape,
  ...takenBack.shape,
});

/** The key of such a regulatory action. */
export const takenBackAction = z.object({
  _id: actionIdentity.shape._id,
  npn,
  stateCode,
  actionId: actionIdentity.shape.actionId,
  ...takenBack.shape,
});

const date = z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' }));

/** Filters of a carrier's regulatory actions; they combine. */
export const carrierActionsQuery = z.object({
  stateCode: z.optional(stateCode),
  npn: z.optional(npn),
  agentId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
  inForceOn: date,
  recordedSince: z.optional(instant),
});

/** Filters of a carrier's licenses; they combine. */
export const carrierLicensesQuery = z.object({
  ...carrierActionsQuery.shape,
  endsFrom: date,
  endsUntil: date,
});

/** Filters of a carrier's appointments; they combine. */
export const carrierAppointmentsQuery = z.object({
  ...carrierLicensesQuery.shape,
  companyCode: z.optional(companyCode),
});

/** Filters of a list; each list takes those of these that its query has. */
export type CarrierListFilters = z.output<typeof carrierAppointmentsQuery>;
