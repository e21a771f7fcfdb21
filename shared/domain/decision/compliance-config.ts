import * as z from 'zod/mini';
import { KB } from '../../platform/aws/limits.ts';
import { fields, object, strictObject } from '../../platform/contract/object.ts';
import { objectId, stateCode, textUpTo, timestamp } from '../../platform/contract/primitives.ts';
import { naicCode } from '../identifiers/identifiers.ts';

export const appointmentRequirements = ['required', 'not required', 'on binding'] as const;

/** Who needs a license, and an appointment; `either` is met by one of the two. */
export const licenseParties = ['both', 'agency', 'agent'] as const;
export const appointmentParties = [...licenseParties, 'either'] as const;

/** Whether the writing company must appoint, where several count, or any of them. */
export const appointmentInsurers = ['company', 'group'] as const;

/** Whether a non-resident license counts only while its holder is licensed at home. */
export const homeStates = ['known', 'ignored'] as const;

/** Whether what the carrier itself says of an agent's authority counts. */
export const authority = z.enum(['ignored', 'if stated', 'required']);

/** A line of authority that is required: a code, or any one of several. */
const code = () => textUpTo(50);
export const lineAlternatives = strictObject(() => ({
  anyOf: z.array(code()).check(z.minLength(1), z.maxLength(20)),
}));
const lineRequirement = () => z.union([code(), lineAlternatives]);

export type LineRequirement = z.output<ReturnType<typeof lineRequirement>>;

/** Days within which an appointment may be due, at most. */
const mostDays = 366;

export const linesRequired = () => z.array(lineRequirement());

const linesOfAuthority = () => linesRequired().check(z.maxLength(100));

/** Classes of licenses, each a code or a name. */
const licenseClasses = () => z.array(textUpTo(300)).check(z.minLength(1), z.maxLength(50));

/** NAIC company codes of insurers. */
const naicCodes = () => z.array(naicCode).check(z.minLength(1), z.maxLength(100));

/** A license that is required beside that of the producer, such as a surplus lines broker's. */
export const furtherLicense = strictObject(() => ({
  licenseClasses: licenseClasses(),
  linesOfAuthority: z.optional(linesOfAuthority()),
}));

/** What is required of the agency instead. */
export const agencyRequirement = strictObject(() => ({
  linesOfAuthority: z.optional(linesOfAuthority()),
  licenseClasses: z.optional(licenseClasses()),
}));

/** What a product requires of its producers in a state. */
export const ruleFields = fields(() => ({
  linesOfAuthority: linesOfAuthority(),
  licenseClasses: z.optional(licenseClasses()),
  furtherLicenses: z.optional(z.array(furtherLicense).check(z.maxLength(20))),
  licenseOf: z.optional(z.enum(licenseParties)),
  appointment: z.enum(appointmentRequirements),
  appointmentOf: z.optional(z.enum(appointmentParties)),
  appointmentBy: z.optional(z.enum(appointmentInsurers)),
  appointWithinDays: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(mostDays)))),
  homeState: z.optional(z.enum(homeStates)),
  carrierNaicCodes: z.optional(naicCodes()),
  agency: z.optional(agencyRequirement),
}));

/** What a product requires in the states that it does not list. */
export const otherStates = object(() => ruleFields.shape);

/** What a product requires of its producers in one state. */
export const stateRequirement = object(() => ({ stateCode, ...ruleFields.shape }));

/** Bytes of a config as JSON: every answer about its product reads it whole. */
export const largestConfig = 100 * KB;

/** More than the number of states and territories: each is given once. */
const mostStates = 60;

/** What somebody wants a product to require, by state. */
export const requiredStates = () =>
  z.array(z.strictObject({ ...stateRequirement.shape })).check(z.maxLength(mostStates));

/** What somebody wants it to require in all other states. */
export const requiredElsewhere = strictObject(() => ruleFields.shape);

export const productName = textUpTo(300);

export const productCode = z.optional(textUpTo(100));

/** NAIC company codes of the insurers that write a product. */
export const carrierNaicCodes = z.optional(naicCodes());

/** The day from which a version of a config is in force. */
export const validFrom = z.iso.date({ error: 'must be a date such as 2026-04-15' });

/** What a product requires of its producers, by state. */
export const complianceConfig = object(() => ({
  productId: objectId,
  productName,
  productCode,
  carrierNaicCodes,
  states: z.array(stateRequirement),
  otherStates: z.optional(otherStates),
  authority: z.optional(authority),
  validFrom,
}));

/** What a product requires of its producers in a state, whichever. */
export type Rule = z.output<typeof otherStates>;
export type StateRequirement = z.output<typeof stateRequirement>;
export type ComplianceConfig = z.output<typeof complianceConfig>;

/** When a config was last written; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };
