import * as z from 'zod/mini';
import { memoize } from '#platform/data/caches.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { companyCodes } from '#platform/identity/organizations.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparable } from '../identifiers/identifiers.ts';
import type { AppointmentHolding } from './coverage.ts';
import { dayAfter } from './dates.ts';
import { namesOf, namingRows } from './holdings.ts';

/** Identity of a carrier in the registry: NAIC company codes and EINs, or its name where it has neither. */
export const carrierIdentity = z.object({
  name: z.string(),
  naicCodes: companyCodes,
  eins: z.array(z.string()),
});

export type CarrierIdentity = z.output<typeof carrierIdentity>;

/** The codes that count on a day, as they are written. */
export const codesOn = (naicCodes: CarrierIdentity['naicCodes'], day: CalendarDate): string[] =>
  naicCodes.flatMap((entry) => {
    if (typeof entry === 'string') return entry;
    const { code, from = day, until = day } = entry;
    return from <= day && day <= until ? code : [];
  });

/** The first day after this one on which other codes count. */
export function nextCodesOf(naicCodes: CarrierIdentity['naicCodes'], day: CalendarDate): CalendarDate | null {
  const days = naicCodes.flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.from, entry.until && dayAfter(entry.until)],
  );
  return days.filter((first) => first !== undefined && first > day).sort()[0] ?? null;
}

/** The last days on which codes count. */
export const lastDaysOfCodes = (naicCodes: CarrierIdentity['naicCodes']): CalendarDate[] =>
  naicCodes.flatMap((entry) => (typeof entry === 'string' ? [] : (entry.until ?? [])));

/** Whether other codes count from a day on. */
export const haveOthersFrom = (naicCodes: CarrierIdentity['naicCodes'], day: CalendarDate): boolean =>
  nextCodesOf(naicCodes, addDays(day, -1)) === day;

/** The insurer that writes a sale, as the sale names it. */
export interface WritingCompany {
  readonly naicCode?: string | undefined;
  readonly name?: string | undefined;
}

/** The NAIC code that the catalog of carriers gives a name; undefined where no company has it, or several. */
export type CodeInCatalog = (name: string) => string | undefined;

/** Insurers whose appointments count. */
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

/** Part of an identity that names the company of an appointment. */
const company = 0;

const hasName = (appointment: AppointmentHolding, names: ReadonlySet<string>): boolean =>
  !namesOf(appointment, company).isDisjointFrom(names);

/** The codes of an appointment's company, as they compare. */
const codesOfCompany = ({ said }: AppointmentHolding): string[] => [
  ...new Set(namingRows(said).flatMap(({ row }) => comparable(row.source.companyCode) || [])),
];

/** Whether an appointment's company has one of some codes, as they compare. */
const isOfCodes = (appointment: AppointmentHolding, codes: readonly string[]): boolean =>
  codesOfCompany(appointment).some((code) => codes.includes(code));

/** Appointments of a holder in a state that count on a day. */
export type Counting = ReturnType<typeof countingFor>;

/** Finds a holder's appointments in a state that count for a sale on a day (OpenAPI, "How compliance is decided"). */
export function countingFor(
  appointments: readonly AppointmentHolding[],
  insurers: Insurers,
  day: CalendarDate,
) {
  const { carrier, productCodes, stateCodes, appointmentBy } = insurers;
  const replacingCodes = stateCodes ?? productCodes;
  const countingCodes = (replacingCodes ?? codesOn(carrier.naicCodes, day)).map(comparable);
  const ofCode = (code: string) =>
    appointments.filter((appointment) => codesOfCompany(appointment).includes(code));
  const identity = replacingCodes === undefined ? namesOfCarrier(carrier) : new Set<string>();
  const eins = isKnownByName(carrier) ? [] : [...identity];
  const ofAny = appointments.filter(
    (appointment) => isOfCodes(appointment, countingCodes) || hasName(appointment, identity),
  );
  const codes = [...new Set([...countingCodes, ...ofAny.flatMap(codesOfCompany)])];
  const ofAnyCompany = {
    /** Appointments that count: of the company that is named, else of any; none where that is another. */
    appointments: ofAny,
    /** Appointments that would count of any company, and those of each company that might write. */
    ofAny,
    /** Whether an appointment counts, or counted on another day. */
    isCountedOn: (appointment: AppointmentHolding, date: CalendarDate) =>
      ofAny.includes(appointment) ||
      (replacingCodes === undefined &&
        isOfCodes(appointment, codesOn(carrier.naicCodes, date).map(comparable))),
    byCompany: [
      ...codes.map(ofCode),
      // An appointment with a code is known by it; which EIN belongs to that code is not known.
      ...(eins.length > codes.length ? eins : []).map((ein) =>
        appointments.filter((appointment) => hasName(appointment, new Set([ein]))),
      ),
    ],
    /** Appointments that count where they are of the company that is named, which they do not tell. */
    ofUnclear: [] as readonly AppointmentHolding[],
    /** Doubt about the company that writes, where that matters. */
    writing: undefined,
    /** Whether a sale by the company with a code, '' where it names none, counts: which codes EINs or a name stand for is not known. */
    isSaleCounting: (code: string) =>
      code === '' || identity.size > 0 || codes.length === 0 || codes.includes(code),
  };
  const writer = writingCompanyOf(appointments, insurers);
  // Without codes of its own, which companies are the organization's is not known.
  const isKnown = typeof writer === 'object' && countingCodes.length > 0;
  if (appointmentBy === 'group' && !(isKnown && !codes.includes(writer.code))) return ofAnyCompany;
  if (typeof writer === 'string')
    return { ...ofAnyCompany, writing: Math.max(codes.length, eins.length) < 2 ? undefined : writer };
  const ofUnclear = ofAny.filter((appointment) => codesOfCompany(appointment).length === 0);
  const isSaleCounting = (code: string): boolean => code === '' || code === writer.code;
  return codes.includes(writer.code)
    ? { ...ofAnyCompany, appointments: ofCode(writer.code), ofUnclear, isSaleCounting }
    : { ...ofAnyCompany, writing: isKnown ? 'another' : 'unclear', appointments: [], isSaleCounting };
}

/** Whether a carrier's appointments are those with its name: it has neither codes nor EINs. */
export const isKnownByName = ({ naicCodes, eins }: CarrierIdentity): boolean =>
  naicCodes.length + eins.length === 0;

/** A company's name as it is among those of appointments; the same carrier is asked about for many sellers. */
const companyName = memoize((name) => comparable(comparableName(name)));

/** A carrier's EINs, or, where it has no number, its name, as they are among the names of a company. */
const namesOfCarrier = (carrier: CarrierIdentity): ReadonlySet<string> =>
  new Set(isKnownByName(carrier) ? [companyName(carrier.name)] : carrier.eins.map(comparable));

/** The company that writes: by its code, else by the names on appointments, else by the catalog. */
function writingCompanyOf(
  appointments: readonly AppointmentHolding[],
  { company: writing, codeInCatalog }: Insurers,
): { readonly code: string } | 'not named' | 'not known' {
  const code = comparable(writing?.naicCode);
  if (code !== '') return { code };
  const name = writing?.name ?? '';
  const comparedName = companyName(name);
  if (comparedName === '') return 'not named';
  const fitting = new Set(
    appointments
      .filter((appointment) => hasName(appointment, new Set([comparedName])))
      .flatMap(codesOfCompany),
  );
  const [first = codeInCatalog?.(name), ...otherCodes] = fitting;
  return first === undefined || otherCodes.length > 0 ? 'not known' : { code: comparable(first) };
}
