import * as z from 'zod/mini';
import { KB } from '#platform/aws/limits.ts';
import {
  comparableCode,
  firstNamed,
  objectId,
  stateCode,
  textUpTo,
  timestamp,
} from '#platform/contract/primitives.ts';
import { compare } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { naicCode } from '../identifiers/identifiers.ts';
import { earliest } from './dates.ts';

export const appointment = z.enum(['required', 'not required', 'on binding']);

/** Parties that need a license, and an appointment; `either` is met by one of the two. */
const licenseParties = ['both', 'agency', 'agent'] as const;
export const licenseOf = z.enum(licenseParties);
export const appointmentOf = z.enum([...licenseParties, 'either']);

/** Whether the writing company must appoint, where several count, or any of them. */
export const appointmentBy = z.enum(['company', 'group']);

/** Whether a non-resident license counts only while its holder is licensed at home. */
export const homeState = z.enum(['known', 'ignored']);

/** Whether what the carrier itself says of an agent's authority counts. */
export const authority = z.enum(['ignored', 'if stated', 'required']);

/** A line of authority that is required: a code or name, or any one of several. */
const codeOrName = () => textUpTo(300);
export const lineAlternatives = z.strictObject({
  anyOf: z.array(codeOrName()).check(z.minLength(1), z.maxLength(20)),
});
export const lineRequirement = z.union([codeOrName(), lineAlternatives]);

export type LineRequirement = z.output<typeof lineRequirement>;

/** Days within which an appointment may be due, at most. */
const mostDays = 366;

export const linesRequired = () => z.array(lineRequirement);

const linesOfAuthority = () => linesRequired().check(z.maxLength(100));

/** Classes of licenses, each a code or a name. */
const licenseClasses = () => z.array(codeOrName()).check(z.minLength(1), z.maxLength(50));

/** NAIC company codes of insurers. */
const naicCodes = () => z.array(naicCode).check(z.minLength(1), z.maxLength(100));

/** A license that is required beside that of the producer, such as a surplus lines broker's. */
export const furtherLicense = z.strictObject({
  licenseClasses: licenseClasses(),
  linesOfAuthority: z.optional(linesOfAuthority()),
});

/** Requirement of the agency instead. */
export const agencyRequirement = z.strictObject({
  linesOfAuthority: z.optional(linesOfAuthority()),
  appointmentLinesOfAuthority: z.optional(linesOfAuthority()),
  licenseClasses: z.optional(licenseClasses()),
});

/** Fields of a product's requirement of its producers in a state. */
export const ruleFields = z.object({
  linesOfAuthority: linesOfAuthority(),
  appointmentLinesOfAuthority: z.optional(linesOfAuthority()),
  licenseClasses: z.optional(licenseClasses()),
  furtherLicenses: z.optional(z.array(furtherLicense).check(z.maxLength(20))),
  licenseOf: z.optional(licenseOf),
  appointment,
  appointmentOf: z.optional(appointmentOf),
  appointmentBy: z.optional(appointmentBy),
  appointWithinDays: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(mostDays)))),
  homeState: z.optional(homeState),
  carrierNaicCodes: z.optional(naicCodes()),
  agency: z.optional(agencyRequirement),
});

/** Requirement in the states that a product does not list. */
export const otherStates = z.strictObject(ruleFields.shape);

/** Requirement of a product in one state. */
export const stateRequirement = z.strictObject({ stateCode, ...ruleFields.shape });

/** Bytes of a config as JSON: every answer about its product reads it whole. */
export const largestConfig = 100 * KB;

/** More than the number of states and territories: each is given once. */
const mostStates = 60;

export const productName = textUpTo(300);

export const productCode = z.optional(textUpTo(100));

/** NAIC company codes of the insurers that write a product. */
export const carrierNaicCodes = z.optional(naicCodes());

/** The day from which a version of a config is in force. */
export const validFrom = z.iso.date({ error: 'must be a date such as 2026-04-15' });

/** Config of a product: its requirements by state. */
export const complianceConfig = z.object({
  productId: objectId,
  productName,
  productCode,
  carrierNaicCodes,
  states: z.array(stateRequirement).check(z.maxLength(mostStates)),
  otherStates: z.optional(otherStates),
  authority: z.optional(authority),
  validFrom,
});

/** Requirement of a product in any state. */
export type Rule = z.output<typeof otherStates>;
export type StateRequirement = z.output<typeof stateRequirement>;
export type ComplianceConfig = z.output<typeof complianceConfig>;

/** Times of a config's writing; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };

/** Times of a version. */
export interface VersionTimes {
  /** The day from which it is in force. */
  readonly validFrom: CalendarDate;
  /** ISO time in UTC. */
  readonly recordedAt: string;
}

/** Requirements of a version of a config. */
type VersionedFields = Pick<ComplianceConfig, 'states' | 'carrierNaicCodes' | 'otherStates' | 'authority'>;

/** A version of what a product requires. */
export interface ConfigVersion extends VersionedFields, VersionTimes {}

/** A config with one version, since ever: what somebody proposes, or a policy without a product. */
export const unversioned = (config: VersionedFields): readonly [ConfigVersion] => [
  { ...config, validFrom: '', recordedAt: '' },
];

/** The version of a product's config by which a day is judged, as known at a moment (OpenAPI, "How compliance is decided"). */
export function configInForce<Version extends VersionTimes>(
  versions: readonly [Version, ...Version[]],
  day: CalendarDate,
  knownAt: string,
): { readonly config: Version; readonly configBasis: ConfigBasis } {
  const inOrder = versions.toSorted(
    (version, otherVersion) =>
      compare(version.validFrom, otherVersion.validFrom) ||
      compare(version.recordedAt, otherVersion.recordedAt),
  );
  const knownVersions = inOrder.filter(({ recordedAt }) => recordedAt <= knownAt);
  const inForce = knownVersions.findLast(({ validFrom }) => validFrom <= day);
  if (inForce !== undefined) return { config: inForce, configBasis: 'version' };
  const [first = versions[0]] = knownVersions.length === 0 ? inOrder : knownVersions;
  return { config: first, configBasis: 'first version' };
}

/** The first day after this one on which another version is in force, as known at a moment. */
export const nextConfigOf = (
  versions: readonly VersionTimes[],
  day: CalendarDate,
  knownAt: string,
): CalendarDate | null =>
  earliest(
    versions.flatMap(({ recordedAt, validFrom }) =>
      recordedAt <= knownAt && validFrom > day ? validFrom : [],
    ),
  );

/** Party that is judged: an agency, or a producer who sells. */
export type Party = 'agency' | 'agent';

/** Licenses that a product asks for: lines of authority, of which each entry is to be met, and classes of which each license is to be; without them, any producer license will do. */
export type LicenseRequirement = Pick<
  z.output<typeof agencyRequirement>,
  'linesOfAuthority' | 'licenseClasses'
>;

/** Rule of a product in a state; undefined where the state is not configured. */
export const ruleOf = (
  config: Pick<ConfigVersion, 'states' | 'otherStates'>,
  stateCode: string,
): Rule | undefined => config.states.find((state) => state.stateCode === stateCode) ?? config.otherStates;

/** Requirement of a rule for a party. Where either is to be appointed, both are asked; who need not be is for the sale to say. */
export function requiredOf(rule: Rule, party: Party) {
  const agencyRule = party === 'agency' ? rule.agency : undefined;
  const isOf = (parties: string | undefined): boolean =>
    [undefined, 'both', 'either', party].includes(parties);
  const linesOfAuthority = agencyRule?.linesOfAuthority ?? rule.linesOfAuthority;
  return {
    linesOfAuthority,
    appointmentLines:
      agencyRule?.appointmentLinesOfAuthority ?? rule.appointmentLinesOfAuthority ?? linesOfAuthority,
    licenseClasses: agencyRule?.licenseClasses ?? rule.licenseClasses,
    isLicenseAsked: isOf(rule.licenseOf),
    isAppointmentAsked: rule.appointment !== 'not required' && isOf(rule.appointmentOf),
    isHomeAsked: rule.homeState !== 'ignored',
  };
}

/** Whether a rule asks something of a party that it asks of nobody else. */
export const asksAlone = (rule: Rule | undefined, party: Party): boolean =>
  rule?.licenseOf === party || (rule?.appointment !== 'not required' && rule?.appointmentOf === party);

/** The codes and names of which a line meets an entry by one. */
export const codesOf = (entry: LineRequirement): readonly string[] =>
  typeof entry === 'string' ? [entry] : entry.anyOf;

/** Entries of a requirement, in words. */
export const named = (lines: readonly LineRequirement[]): string =>
  firstNamed(lines.map((line) => firstNamed(codesOf(line), 'or')));

/** Names of a product: of a policy, or of a compliance config. */
interface ProductNames {
  readonly productCode?: string | undefined;
  readonly productName?: string | undefined;
}

const comparable = (text: string | undefined): string => comparableCode(text ?? '');

/**
 * Finds the organization's products that a policy may be of (OpenAPI, "Matching"): those with its code, else those with its name,
 * without regard to case. Several where that does not say which; of those with one code, the ones with the name count if some have it.
 */
export function productsNamedBy<Product extends ProductNames>(
  products: readonly Product[],
): (policy: ProductNames) => readonly Product[] {
  const byCode = Map.groupBy(products, ({ productCode }) => comparable(productCode));
  const byName = Map.groupBy(products, ({ productName }) => comparable(productName));
  const having = (knownVersions: ReadonlyMap<string, readonly Product[]>, text: string | undefined) =>
    (comparable(text) === '' ? undefined : knownVersions.get(comparable(text))) ?? [];
  return ({ productCode, productName }) => {
    const ofCode = having(byCode, productCode);
    const ofName = having(byName, productName);
    if (ofCode.length === 0) return ofName;
    const productsOfBoth = ofCode.filter((product) => ofName.includes(product));
    return productsOfBoth.length === 0 ? ofCode : productsOfBoth;
  };
}

// Apart from the decision: events and lists have these statuses without deciding.

export const complianceStatuses = ['COMPLIANT', 'NOT_COMPLIANT'] as const;
export const complianceStatus = z.enum(complianceStatuses);

/** A status with what there is to say about it. Names may be added, so clients must accept unknown ones. */
const status = () =>
  z.object({
    statusName: z.string(),
    statusMessages: z.optional(z.array(z.string())),
  });

export const licenseStatus = status();
export const appointmentStatus = status();

/** The two statuses behind a `complianceStatus`. */
export const statusParts = z.object({ licenseStatus, appointmentStatus });

/** Basis of a status. */
export const complianceBasis = z.enum(['history', 'registry dates', 'current']);

export type ComplianceBasis = z.output<typeof complianceBasis>;

/** Whether a version was in force, or the first one stands in for a day or a moment before any. */
export const configBasis = z.enum(['version', 'first version']);

export type ConfigBasis = z.output<typeof configBasis>;
