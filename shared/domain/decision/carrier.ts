import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparableEin } from '../identifiers/identifiers.ts';
import { comparableCompanyCode, einOf, nameOf } from './appointment-identity.ts';
import type { AppointmentCoverage } from './appointments.ts';
import type { AppointmentRow } from './facts.ts';

/** What the registry knows a carrier by: NAIC company codes and EINs, or its name where it has neither. */
export const carrierIdentity = object(() => ({
  name: z.string(),
  naicCodes: z.array(z.string()),
  eins: z.array(z.string()),
}));

export type CarrierIdentity = z.output<typeof carrierIdentity>;

/** What the registry knew a carrier by until its identity changed. */
export const formerIdentity = object(() => ({ ...carrierIdentity.shape, until: timestamp }));

/** A former identity as a message or an item holds it. */
export type FormerIdentity = z.output<typeof formerIdentity>;

/** The insurer that writes a sale, as the sale names it. */
export interface WritingCompany {
  readonly naicCode?: string | undefined;
  readonly name?: string | undefined;
}

/** The NAIC code that the catalog of carriers gives a name; undefined where no company has it, or several. */
export type CodeInCatalog = (name: string) => string | undefined;

/** Whose appointments count. */
export interface Insurers {
  readonly carrier: CarrierIdentity;
  /** NAIC codes that a product names, and that a state of its config names: they replace the carrier's identity, the latter first. */
  readonly productCodes?: readonly string[] | undefined;
  readonly stateCodes?: readonly string[] | undefined;
  readonly appointmentBy?: 'company' | 'group' | undefined;
  /** Undefined where the sale names none. */
  readonly company?: WritingCompany | undefined;
  /** Absent where the sale names its company by code, if at all. */
  readonly codeInCatalog?: CodeInCatalog | undefined;
}

/** Which appointments count. */
interface Counting<Row extends AppointmentRow> {
  /**
   * Of the company that writes: `any` may, since one code counts or the group does; it is `named`, and counts alone; it is `not
   * named`, so that any counts; it is named, and is `another` than those that count, or `not known`.
   */
  readonly writing: 'any' | 'named' | 'not named' | 'another' | 'not known';
  /**
   * The codes of the companies whose appointments and sales count, as they are compared: of the one that is named, else of all;
   * none where the carrier has none.
   */
  readonly codes: readonly string[];
  /** Those that count: of the company that is named, else of any; none where that is another. */
  readonly appointments: readonly AppointmentCoverage<Row>[];
  /** Those that would count of any company. */
  readonly ofAny: readonly AppointmentCoverage<Row>[];
  /** Those of each company that might write. */
  readonly byCompany: readonly (readonly AppointmentCoverage<Row>[])[];
}

/** Which of a holder's appointments in a state count for a sale (OpenAPI, "How compliance is decided"). */
export function countingFor<Row extends AppointmentRow>(
  held: readonly AppointmentCoverage<Row>[],
  insurers: Insurers,
): Counting<Row> {
  const { carrier, productCodes, stateCodes, appointmentBy } = insurers;
  const named = stateCodes ?? productCodes;
  const codes = [...new Set((named ?? carrier.naicCodes).map(comparableCompanyCode))];
  const ofCode = (code: string) => held.filter(({ companyCode }) => companyCode === code);
  const ofAny = held.flatMap((one) => {
    if (one.companyCode !== null && codes.includes(one.companyCode)) return [one];
    return named === undefined ? ofIdentity(one, carrier) : [];
  });
  const byCompany = codes.map(ofCode);
  const all = { codes, appointments: ofAny, ofAny, byCompany };
  if (codes.length < 2 || appointmentBy === 'group') return { ...all, writing: 'any' };
  const company = writingCompanyOf(held, insurers);
  if (typeof company === 'string') return { ...all, writing: company };
  const { code } = company;
  return codes.includes(code)
    ? { ...all, codes: [code], writing: 'named', appointments: ofCode(code) }
    : { ...all, writing: 'another', appointments: [] };
}

/** What of an appointment is a carrier's by the EINs on its rows, or, where the carrier has no number, by the names. */
function ofIdentity<Row extends AppointmentRow>(
  one: AppointmentCoverage<Row>,
  { name, naicCodes, eins }: CarrierIdentity,
): AppointmentCoverage<Row>[] {
  const isByName = naicCodes.length + eins.length === 0;
  const its = new Set(isByName ? [comparableName(name)] : eins.map(comparableEin));
  its.delete('');
  if (![...(isByName ? one.names : one.eins)].some((called) => its.has(called))) return [];
  const isIts = ({ row }: { readonly row: Row }): boolean => its.has(isByName ? nameOf(row) : einOf(row));
  return [
    {
      ...one,
      spans: one.spans.filter(isIts),
      unknown: one.unknown.filter(isIts),
      changes: one.changes.filter(isIts),
    },
  ];
}

/** The company that writes: by its code, else by the names on appointments, else by the catalog. */
function writingCompanyOf(
  appointments: readonly AppointmentCoverage<AppointmentRow>[],
  { company, codeInCatalog }: Insurers,
): { readonly code: string } | 'not named' | 'not known' {
  const code = comparableCompanyCode(company?.naicCode ?? '');
  if (code !== '') return { code };
  const name = company?.name ?? '';
  const known = comparableName(name);
  if (known === '') return 'not named';
  const fitting = new Set(
    appointments.flatMap(({ companyCode, names, isStated }) =>
      isStated && companyCode !== null && names.has(known) ? [companyCode] : [],
    ),
  );
  const [first = codeInCatalog?.(name), ...others] = fitting;
  return first === undefined || others.length > 0 ? 'not known' : { code: comparableCompanyCode(first) };
}
