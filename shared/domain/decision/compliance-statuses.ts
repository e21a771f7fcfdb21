// Apart from the decision: events and lists have these statuses without deciding.
import * as z from 'zod/mini';
import { fields, object } from '#platform/contract/object.ts';

export const complianceStatuses = ['COMPLIANT', 'NOT_COMPLIANT'] as const;
export const complianceStatus = z.enum(complianceStatuses);

/** A status with what there is to say about it. Names may be added, so clients must accept unknown ones. */
const status = () =>
  object(() => ({
    statusName: z.string(),
    statusMessages: z.optional(z.array(z.string())),
  }));

export const licenseStatus = status();
export const appointmentStatus = status();

/** The two statuses behind a `complianceStatus`. */
export const statusParts = fields(() => ({ licenseStatus, appointmentStatus }));

/** Basis of a status. */
const complianceBases = ['history', 'registry dates', 'current'] as const;

export type ComplianceBasis = (typeof complianceBases)[number];

export const complianceBasis = z.enum(complianceBases);

/** Whether a version was in force, or the first one stands in for a day or a moment before any. */
const configBases = ['version', 'first version'] as const;

export type ConfigBasis = (typeof configBases)[number];

export const configBasis = z.enum(configBases);
