import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { comparableCompanyCode } from './appointment-identity.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { Days } from './dates.ts';
import type { SaleDay } from './facts.ts';
import type { Said } from './reasons.ts';

/** An appointment that is missing on a day, where the carrier appoints when it binds. */
export interface Due {
  /** Entries of the requirement that no appointment meets; none where any appointment would do. */
  readonly lines: readonly LineRequirement[];
  /** The last day on which it is on time; null where nothing was sold, or without a limit. */
  readonly dueOn: CalendarDate | null;
  /** Of a sale: the first later day on which the party is appointed, as known; else null. */
  readonly appointedOn: CalendarDate | null;
}

export interface DueQuestion {
  /** The day on which nothing meets the requirement. */
  readonly day: CalendarDate;
  readonly lines: readonly LineRequirement[];
  /** Days from a sale on; null where there is no limit. */
  readonly withinDays: number | null;
  /** Those for a company whose appointments count. */
  readonly sales: readonly SaleDay[];
  /** The spans of the appointments that count. */
  readonly spans: readonly Days[];
  /** Whether they meet the requirement on a day, or what a sale asked. */
  readonly isMetOn: (day: CalendarDate, ofSale?: readonly LineRequirement[]) => boolean;
  /** Of a sale on the day: the day until which it is looked at what became of it. */
  readonly saleSeenOn: CalendarDate | undefined;
}

/** When a missing appointment is due: some days after the first sale without one since one last covered, as known now. */
export function dueOf({
  day,
  lines,
  withinDays,
  sales,
  spans,
  isMetOn,
  saleSeenOn,
}: DueQuestion): Due & { readonly against: readonly Said[] } {
  const isSale = saleSeenOn !== undefined;
  const ends = spans.map(({ until }) => until).filter((until) => until < day);
  const lastMet = ends.sort((one, other) => compare(other, one)).find((until) => isMetOn(until));
  const { day: first } = sales
    .filter((sale) => sale.day <= day && (lastMet === undefined || sale.day > lastMet))
    .sort((one, other) => compare(one.day, other.day))
    .find((sale) => !isMetOn(sale.day, sale.lines)) ?? { day: isSale ? day : undefined };
  const dueOn = first === undefined || withinDays === null ? null : addDays(first, withinDays);
  const begins = spans.map(({ from }) => from).filter((from) => isSale && day < from && from <= saleSeenOn);
  const appointedOn = begins.sort(compare).find((from) => isMetOn(from)) ?? null;
  const due = { lines, dueOn, appointedOn };
  const lateFrom = appointedOn ?? saleSeenOn ?? day;
  if (dueOn === null || lateFrom <= dueOn) return { ...due, against: [] };
  const code = day > dueOn ? 'appointment_overdue' : 'appointment_late';
  return { ...due, against: [{ code, lines, day: dueOn }] };
}

/** The sales of a party in a state for a company whose appointments count. */
export const salesFor = (sales: readonly SaleDay[], companyCodes: readonly string[]): SaleDay[] =>
  sales.filter(({ carrierNaicCode }) => {
    const code = comparableCompanyCode(carrierNaicCode ?? null);
    // Whose sale it was that names no company is not known, so that it counts for each.
    return code === '' || companyCodes.length === 0 || companyCodes.includes(code);
  });
