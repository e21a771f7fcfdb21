import * as z from 'zod/mini';
import { KB } from '../../platform/aws/limits.ts';
import { object, strictObject } from '../../platform/contract/object.ts';
import { objectId, stateCode, textUpTo, timestamp } from '../../platform/contract/primitives.ts';
import { naicCode } from '../identifiers/naic-code.ts';

export const appointmentRequirements = ['required', 'not required', 'on binding'] as const;

/** Whose appointment a product asks for. */
export const appointmentParties = ['both', 'agency', 'agent'] as const;

/** A line of authority that is required: a code, or any one of several. */
const code = () => textUpTo(50);
export const lineAlternatives = strictObject(() => ({
  anyOf: z.array(code()).check(z.minLength(1), z.maxLength(20)),
}));
const lineRequirement = () => z.union([code(), lineAlternatives]);

export type LineRequirement = z.output<ReturnType<typeof lineRequirement>>;

/** Days within which an appointment may be due, at most. */
const mostDays = 366;

/** What a product requires of its producers in one state. */
export const stateRequirement = object(() => ({
  stateCode,
  linesOfAuthority: z.array(lineRequirement()).check(z.maxLength(100)),
  appointment: z.enum(appointmentRequirements),
  appointmentOf: z.optional(z.enum(appointmentParties)),
  appointWithinDays: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(mostDays)))),
}));

/** Bytes of a config as JSON: every answer about its product reads it whole. */
export const largestConfig = 100 * KB;

/** More than the number of states and territories: each is given once. */
const mostStates = 60;

/** What somebody wants a product to require, by state. */
export const requiredStates = () =>
  z.array(z.strictObject({ ...stateRequirement.shape })).check(z.maxLength(mostStates));

export const productName = textUpTo(300);

export const productCode = z.optional(textUpTo(100));

/** NAIC company codes of the insurers that write a product. */
export const carrierNaicCodes = z.optional(z.array(naicCode).check(z.minLength(1), z.maxLength(100)));

/** The day from which a version of a config is in force. */
export const validFrom = z.iso.date({ error: 'must be a date such as 2026-04-15' });

/** What a product requires of its producers, by state. */
export const complianceConfig = object(() => ({
  productId: objectId,
  productName,
  productCode,
  carrierNaicCodes,
  states: z.array(stateRequirement),
  validFrom,
}));

export type StateRequirement = z.output<typeof stateRequirement>;
export type ComplianceConfig = z.output<typeof complianceConfig>;

/** When a config was last written; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };
