import { firstNamed } from '../../platform/contract/primitives.ts';
import type { LineRequirement, Rule } from './compliance-config.ts';
import type { ConfigVersion } from './configs.ts';

/** Who is judged: an agency, or a producer who sells. */
export type Party = 'agency' | 'agent';

/** What a product asks of licenses: lines of authority, of which each entry is to be met, and classes of which each license is to be. */
export interface AskedOfLicenses {
  readonly lines: readonly LineRequirement[];
  /** Codes and names, without regard to case; undefined where any producer license will do. */
  readonly classes: readonly string[] | undefined;
}

/** What a product asks of a party in a state. */
export interface Required extends AskedOfLicenses {
  readonly isLicenseAsked: boolean;
  readonly isAppointmentAsked: boolean;
  readonly isHomeAsked: boolean;
  readonly rule: Rule;
}

/** What a product asks in a state; undefined where the state is not configured. */
export const ruleOf = (
  config: Pick<ConfigVersion, 'states' | 'otherStates'>,
  stateCode: string,
): Rule | undefined => config.states.find((state) => state.stateCode === stateCode) ?? config.otherStates;

/** What a rule asks of a party. Where either is to be appointed, both are asked; who need not be is for the sale to say. */
export function requiredOf(rule: Rule, party: Party): Required {
  const own = party === 'agency' ? rule.agency : undefined;
  const isOf = (whose: string | undefined): boolean => [undefined, 'both', 'either', party].includes(whose);
  return {
    lines: own?.linesOfAuthority ?? rule.linesOfAuthority,
    classes: own?.licenseClasses ?? rule.licenseClasses,
    isLicenseAsked: isOf(rule.licenseOf),
    isAppointmentAsked: rule.appointment !== 'not required' && isOf(rule.appointmentOf),
    isHomeAsked: rule.homeState !== 'ignored',
    rule,
  };
}

/** Whether a rule asks something of a party that it asks of nobody else. */
export const asksAlone = (rule: Rule | undefined, party: Party): boolean =>
  rule?.licenseOf === party || (rule?.appointment !== 'not required' && rule?.appointmentOf === party);

/** What a rule asks of further licenses, each of which one license is to meet. */
export const furtherOf = (rule: Rule): AskedOfLicenses[] =>
  (rule.furtherLicenses ?? []).map(({ licenseClasses, linesOfAuthority }) => ({
    lines: linesOfAuthority ?? [],
    classes: licenseClasses,
  }));

export const codesOf = (entry: LineRequirement): readonly string[] =>
  typeof entry === 'string' ? [entry] : entry.anyOf;

/** Entries of a requirement, in words. */
export const named = (lines: readonly LineRequirement[]): string =>
  firstNamed(lines.map((line) => firstNamed(codesOf(line), 'or')));
