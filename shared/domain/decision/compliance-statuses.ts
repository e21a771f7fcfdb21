import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { configBases } from './configs.ts';

export const complianceStatuses = ['COMPLIANT', 'NOT_COMPLIANT'] as const;
export const complianceStatus = z.enum(complianceStatuses);

/** A status with what there is to say about it. Names may be added, so clients must accept unknown ones. */
const status = object(() => ({ statusName: z.string(), statusMessages: z.optional(z.array(z.string())) }));

/** The two statuses behind a `complianceStatus`. */
export const statusParts = fields(() => ({ licenseStatus: status, appointmentStatus: status }));

/** What a status goes by. */
export const complianceBases = ['history', 'registry dates', 'current'] as const;

export type ComplianceBasis = (typeof complianceBases)[number];

export const complianceBasis = z.enum(complianceBases);

export const configBasis = z.enum(configBases);
