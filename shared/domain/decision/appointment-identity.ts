import { remembered } from '../../platform/data/caches.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { comparableName } from '../identifiers/comparable-names.ts';
import { comparableEin } from '../identifiers/identifiers.ts';
import { plain } from '../registry/words.ts';
import { kindOf } from './appointment-timeline.ts';
import { always, writtenDate } from './dates.ts';
import { type AppointmentRow, comparable, comparableCode } from './facts.ts';

// What tells appointments from each other: company, line of authority, and county.

/** A company's code as it is compared: without case and leading zeros; empty where there is none. */
export const comparableCompanyCode = (code: string | null): string =>
  comparableCode(code).replace(/^0+(?=.)/, '');

type Named = Pick<AppointmentRow, 'companyCode' | 'ein' | 'carrierName'>;

const comparableOnce = { ein: remembered(comparableEin), name: remembered(comparableName) };

/** The EIN and the name of a row's company, as they are compared; empty where it has none. */
export const einOf = ({ ein }: Named): string => (ein === null ? '' : comparableOnce.ein(ein.trim()));
export const nameOf = ({ carrierName }: Named): string =>
  carrierName === null ? '' : comparableOnce.name(carrierName);

/** The company of a row as far as the row itself says: by its code, else its EIN, else its name. */
function companyKey(row: Named): string {
  const code = comparableCompanyCode(row.companyCode);
  if (code !== '') return `code ${code}`;
  const ein = einOf(row);
  return ein === '' ? `name ${nameOf(row)}` : `ein ${ein}`;
}

/** What is known of a company by the rows that name it. */
export interface Company {
  readonly key: string;
  /** Null where no row has one. */
  readonly code: string | null;
  readonly eins: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/**
 * The companies of rows: a row without a code is of the one company with its EIN, one without both of the one with its name;
 * where none or several fit, of its own.
 */
export function companiesOf(rows: Iterable<Named>): (row: Named) => Company {
  const companies = new Map<string, Company & { eins: Set<string>; names: Set<string> }>();
  for (const row of rows) {
    const key = companyKey(row);
    const code = comparableCompanyCode(row.companyCode) || null;
    const company = companies.get(key) ?? { key, code, eins: new Set(), names: new Set() };
    companies.set(key, company);
    if (einOf(row) !== '') company.eins.add(einOf(row));
    if (nameOf(row) !== '') company.names.add(nameOf(row));
  }
  const aliases = new Map<string, string>();
  for (const [prefix, called] of [
    ['ein ', 'eins'],
    ['name ', 'names'],
  ] as const) {
    const others = [...companies.values()].filter(
      ({ key, code }) => code !== null || (called === 'names' && key.startsWith('ein ') && !aliases.has(key)),
    );
    for (const company of companies.values()) {
      if (!company.key.startsWith(prefix)) continue;
      const [fitting, ...more] = others.filter((other) => share(company[called], other[called]));
      if (fitting === undefined || more.length > 0) continue;
      aliases.set(company.key, fitting.key);
      for (const name of company.names) fitting.names.add(name);
    }
  }
  return (row) => {
    const key = companyKey(row);
    return companies.get(aliases.get(key) ?? key) ?? { key, code: null, eins: new Set(), names: new Set() };
  };
}

const share = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].some((one) => others.has(one));

/** Whether rows of one company may be of the other: by what both have of a code, an EIN, and a name, in this order. */
export function maybeSameCompany(one: Company, other: Company): boolean {
  if (one.key === other.key) return true;
  if (one.code !== null && other.code !== null) return false;
  const isByEin = one.eins.size > 0 && other.eins.size > 0;
  return isByEin ? share(one.eins, other.eins) : share(one.names, other.names);
}

const isOfAllLines = remembered((text) => ['all', 'all lines'].includes(plain(text)));

type OfLine = Pick<AppointmentRow, 'lineOfAuthorityCode' | 'lineOfAuthorityName'>;

/** The line of a row as it is compared, by its code, else by its name: it covers all lines where it has neither. */
export function lineOf({ lineOfAuthorityCode, lineOfAuthorityName }: OfLine): {
  readonly code: string | null;
  readonly name: string | null;
} {
  const code = comparableCode(lineOfAuthorityCode);
  const name = comparable(lineOfAuthorityName);
  if (isOfAllLines(code || name)) return { code: null, name: null };
  return { code: code || null, name: isOfAllLines(name) ? null : name || null };
}

function lineKey(row: OfLine): string {
  const { code, name } = lineOf(row);
  if (code !== null) return `code ${code}`;
  return name === null ? '' : `name ${name}`;
}

const comparableCounty = remembered((county) => plain(county).replaceAll(' ', ''));

/** The county of a row, without case, spaces, and punctuation; its code where it has no name, empty without either. */
export const countyOf = ({ countyName, countyCode }: AppointmentRow): string =>
  comparableCounty(countyName || (countyCode ?? ''));

/** What identifies the appointment of a row, among those of a state, where its company is known. */
const appointmentKey = (row: AppointmentRow, company: string = companyKey(row)): string =>
  [company, lineKey(row), countyOf(row)].join('#');

/**
 * The status change that a row states. Which company a row without a code is of depends on the other rows, so those of one
 * appointment may have several of these keys.
 */
export const changeKey = (row: AppointmentRow, validFrom: CalendarDate | null): string =>
  `${appointmentKey(row)}#${changeDate(row, validFrom)}`;

/** The day of a status change: its date, else the day from which an import says that it counts; `always` without either. */
export const changeDate = (
  { statusChangeDate }: Pick<AppointmentRow, 'statusChangeDate'>,
  validFrom: CalendarDate | null,
): CalendarDate => (statusChangeDate === null ? (validFrom ?? always) : writtenDate(statusChangeDate));

/** What its rows say of an appointment. */
interface AppointmentIdentity {
  readonly key: string;
  readonly company: Company;
  /** The EINs and the names on its rows, as they are compared. */
  readonly eins: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** It covers all lines where it has neither a code nor a name. */
  readonly lineCode: string | null;
  /** As they are compared. */
  readonly lineNames: ReadonlySet<string>;
  readonly county: string;
  readonly isSeenLive: boolean;
}

/** The appointments that a holder's rows of a state are of, by their keys. */
export function appointmentsAmong<Row extends AppointmentRow>(rows: readonly Row[]) {
  const companyOf = companiesOf(rows);
  const keyOf = (row: Row): string => appointmentKey(row, companyOf(row).key);
  const appointments = new Map<string, AppointmentIdentity>();
  for (const [key, ofOne] of Map.groupBy(rows, keyOf)) {
    for (const row of ofOne.slice(0, 1)) {
      appointments.set(key, {
        key,
        company: companyOf(row),
        eins: new Set(ofOne.flatMap((one) => einOf(one) || [])),
        names: new Set(ofOne.flatMap((one) => nameOf(one) || [])),
        lineCode: lineOf(row).code,
        lineNames: new Set(ofOne.flatMap((one) => lineOf(one).name ?? [])),
        county: countyOf(row),
        isSeenLive: ofOne.some((one) => kindOf(one) === 'live'),
      });
    }
  }
  return { appointments, keyOf };
}

/** The codes that licenses of the state give the name of a line. */
export type CodesOfLine = (name: string) => Pick<ReadonlySet<string>, 'has'> | undefined;

/**
 * Whether an end may mean a line: it leaves out its own, or one of the two has a code and the other a name that may be its, by
 * the names of both, else by the codes that the name has.
 */
function mayMeanLine(end: AppointmentIdentity, other: AppointmentIdentity, codesOf: CodesOfLine): boolean {
  if (end.lineCode === null && end.lineNames.size === 0) return true;
  if (end.lineCode !== null && other.lineCode !== null) return end.lineCode === other.lineCode;
  const [coded, named] = end.lineCode === null ? [other, end] : [end, other];
  const [name] = named.lineNames;
  if (name === undefined || coded.lineNames.has(name)) return name !== undefined;
  if (coded.lineCode === null) return false;
  return codesOf(name)?.has(coded.lineCode) ?? coded.lineNames.size === 0;
}

/** The appointments once seen live that an end of an import may mean besides its own: each of them ends. */
export function meantBy(
  end: AppointmentIdentity,
  appointments: Iterable<AppointmentIdentity>,
  codesOf: CodesOfLine,
): AppointmentIdentity[] {
  const ofCompany = [...appointments].filter(
    (one) => one.isSeenLive && maybeSameCompany(end.company, one.company),
  );
  const isCountyHeld = end.county !== '' && ofCompany.some(({ county }) => county === end.county);
  return ofCompany.filter(
    (one) =>
      one.key !== end.key && (!isCountyHeld || one.county === end.county) && mayMeanLine(end, one, codesOf),
  );
}
