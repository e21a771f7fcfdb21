import * as z from 'zod/mini';
import { fields, later, object } from '#platform/contract/object.ts';
import { instant, objectId, stateCode, timestamp } from '#platform/contract/primitives.ts';
import { comparable, npn } from '../identifiers/identifiers.ts';
import { actionIdentity, appointment, license, regulatoryAction } from '../registry/resources.ts';

/** Days for which a list says what was recorded since, and what was taken back. */
export const recordedDays = 400;

const holder = fields(() => ({
  npn,
  agentId: z.nullable(objectId),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  downstreamEntityAssociationIds: z.array(objectId),
}));

const knownFields = fields(() => ({
  isInForce: z.boolean(),
  verifiedAt: z.nullable(timestamp),
  recordedAt: timestamp,
}));

/** A license of a producer or an agency of the carrier. */
export const carrierLicense = object(() => ({ ...holder.shape, ...license.shape, ...knownFields.shape }));

/** An appointment of one. */
export const carrierAppointment = object(() => ({
  ...holder.shape,
  ...appointment.shape,
  ...knownFields.shape,
}));

/** A regulatory action against one. */
export const carrierAction = object(() => ({
  ...holder.shape,
  ...regulatoryAction.shape,
  ...knownFields.shape,
}));

const takenBack = fields(() => ({ isDeleted: z.literal(true), recordedAt: timestamp }));

/** The key of a license that an import has taken back. */
export const takenBackLicense = object(() => {
  const { licenseNumber, licenseClassCode, licenseClassName } = license.shape;
  return { npn, stateCode, licenseNumber, licenseClassCode, licenseClassName, ...takenBack.shape };
});

/** The key of such an appointment. */
export const takenBackAppointment = object(() => {
  const { carrierName, ein, companyCode, lineOfAuthorityName, lineOfAuthorityCode, countyName, countyCode } =
    appointment.shape;
  const company = { carrierName, ein, companyCode };
  const line = { lineOfAuthorityName, lineOfAuthorityCode };
  return { npn, stateCode, ...company, ...line, countyName, countyCode, ...takenBack.shape };
});

/** The key of such a regulatory action. */
export const takenBackAction = object(() => {
  const { _id, actionId } = actionIdentity.shape;
  return { _id, npn, stateCode, actionId, ...takenBack.shape };
});

const date = z.optional(z.iso.date({ error: 'must be a date such as 2026-04-15' }));

/** Filters of a carrier's regulatory actions; they combine. */
export const carrierActionsQuery = fields(() => ({
  stateCode: z.optional(stateCode),
  npn: z.optional(npn),
  agentId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
  inForceOn: date,
  recordedSince: z.optional(instant),
}));

/** Filters of a carrier's licenses; they combine. */
export const carrierLicensesQuery = fields(() => ({
  ...carrierActionsQuery.shape,
  endsFrom: date,
  endsUntil: date,
}));

/** A code of which something is left where it is compared: nothing would be as good as no filter. */
const companyCode = later(() =>
  z.string().check(
    z.maxLength(20),
    z.refine((code) => comparable(code) !== '', 'must have a letter, or a digit other than 0'),
  ),
);

/** Filters of a carrier's appointments; they combine. */
export const carrierAppointmentsQuery = fields(() => ({
  ...carrierLicensesQuery.shape,
  companyCode: z.optional(companyCode),
}));

/** Filters of a list; each list takes those of these that its query has. */
export type CarrierListFilters = z.output<z.ZodMiniObject<typeof carrierAppointmentsQuery.shape>>;
