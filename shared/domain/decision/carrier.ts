import { comparableEin } from '../identifiers/comparable-ein.ts';
import { comparableName } from '../matching/names.ts';
import { comparableCompanyCode } from './appointment-identity.ts';
import type { AppointmentCoverage } from './appointments.ts';
import type { AppointmentRow } from './facts.ts';

/** What the registry knows a carrier by: NAIC company codes and EINs, or its name where it has neither. */
export interface CarrierIdentity {
  readonly name: string;
  readonly naicCodes: readonly string[];
  readonly eins: readonly string[];
}

/** The insurer that writes a sale, as the sale names it. */
export interface WritingCompany {
  readonly naicCode?: string | undefined;
  readonly name?: string | undefined;
}

/** Whose appointments count. */
export interface Insurers {
  readonly carrier: CarrierIdentity;
  /** NAIC codes that a product names, and that a state of its config names: they replace the carrier's identity, the latter first. */
  readonly productCodes?: readonly string[] | undefined;
  readonly stateCodes?: readonly string[] | undefined;
  readonly appointmentBy?: 'company' | 'group' | undefined;
  /** Undefined where the sale names none. */
  readonly company?: WritingCompany | undefined;
  /** The NAIC code that the catalog of carriers gives a name. */
  readonly codeInCatalog?: ((name: string) => string | undefined) | undefined;
}

/** Which appointments count. */
export interface Counting<One> {
  /**
   * Of the company that writes: `any` may, since one code counts or the group does; it is `named`, and counts alone; it is `not
   * named`, so that any counts; it is named, and is `another` than those that count, or `not told`.
   */
  readonly writing: 'any' | 'named' | 'not named' | 'another' | 'not told';
  /** Its NAIC code, where that is known. */
  readonly code: string | undefined;
  /** Those that count: of the company that is named, else of any. */
  readonly appointments: readonly One[];
  /** Those of each company that might write, where it matters which one does. */
  readonly byCompany: readonly (readonly One[])[];
}

type Appointment = Pick<AppointmentCoverage<AppointmentRow>, 'companyCode' | 'eins' | 'names'>;

/** Which of a holder's appointments in a state count for a sale (OpenAPI, "How compliance is decided"). */
export function countingFor<One extends Appointment>(
  appointments: readonly One[],
  insurers: Insurers,
): Counting<One> {
  const { carrier, productCodes, stateCodes, appointmentBy } = insurers;
  const named = stateCodes ?? productCodes;
  const codes = [...new Set((named ?? carrier.naicCodes).map(comparableCompanyCode))];
  const ofCode = (code: string | undefined): One[] =>
    appointments.filter(({ companyCode }) => companyCode !== null && companyCode === code);
  const ofCarrier = appointments.filter(
    (one) => codes.includes(one.companyCode ?? '') || (named === undefined && isOfIdentity(one, carrier)),
  );
  const byCompany = codes.map(ofCode);
  if (codes.length < 2 || appointmentBy === 'group')
    return {
      writing: 'any',
      code: codes.length === 1 ? codes[0] : undefined,
      appointments: ofCarrier,
      byCompany,
    };
  const company = companyOf(appointments, insurers);
  if (typeof company === 'string')
    return { writing: company, code: undefined, appointments: ofCarrier, byCompany };
  return codes.includes(company.code)
    ? { writing: 'named', code: company.code, appointments: ofCode(company.code), byCompany }
    : { writing: 'another', code: company.code, appointments: [], byCompany };
}

/** Whether an appointment is of a carrier by what is no code of it. */
function isOfIdentity(
  { eins, names }: Appointment,
  { name, naicCodes, eins: its }: CarrierIdentity,
): boolean {
  if (naicCodes.length + its.length > 0) return its.some((ein) => eins.has(comparableEin(ein)));
  const known = comparableName(name);
  return known !== '' && names.has(known);
}

/** The company that writes: by its code, else by the names on appointments, else by the catalog. */
function companyOf(
  appointments: readonly Appointment[],
  { company, codeInCatalog }: Insurers,
): { readonly code: string } | 'not named' | 'not told' {
  const code = comparableCompanyCode(company?.naicCode ?? '');
  if (code !== '') return { code };
  const name = company?.name ?? '';
  const known = comparableName(name);
  if (known === '') return 'not named';
  const fitting = new Set(
    appointments.flatMap(({ companyCode, names }) =>
      companyCode !== null && names.has(known) ? [companyCode] : [],
    ),
  );
  const [first = codeInCatalog?.(name), ...others] = fitting;
  return first === undefined || others.length > 0 ? 'not told' : { code: comparableCompanyCode(first) };
}
