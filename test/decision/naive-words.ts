import { classKindOf } from '../../shared/domain/decision/classes.ts';
import type { AppointmentRow, LicenseRow } from '../../shared/domain/decision/facts.ts';
import { comparableEin } from '../../shared/domain/identifiers/identifiers.ts';

// The word tables as the document prints them, and how what sources write is compared, for the naive implementation.

export type StatusKind = 'ended' | 'lapsed' | 'inactive' | 'pending' | 'live' | 'unrecognized';

/** In the order in which the first that a part says counts. */
const statuses: readonly (readonly [Exclude<StatusKind, 'unrecognized'>, string])[] = [
  [
    'ended',
    'revoked, suspended, surrendered, voluntary surrender, cancelled, canceled, terminated, deceased, retired, withdrawn, closed, void, not in force, not active',
  ],
  ['lapsed', 'expired, lapsed, non renewed, nonrenewed, not renewed, failed to renew'],
  ['inactive', 'inactive, no, n, i'],
  [
    'pending',
    'pending, applied, in process, in progress, submitted, requested, denied, rejected, declined, incomplete, error',
  ],
  [
    'live',
    'active, in force, current, valid, licensed, issued, renewed, reinstated, good standing, probation, yes, y, a',
  ],
];

const ofAppointments: readonly (readonly [Exclude<StatusKind, 'unrecognized'>, string])[] = [
  ['ended', 'inactive, term, termed, for cause'],
  ...statuses,
  ['live', 'appointed, approved'],
];

const saysNothing = ['resident', 'non resident', 'renewal pending', 'ce exempt', 'grace period'];

const order: readonly StatusKind[] = ['ended', 'lapsed', 'inactive', 'pending', 'live'];

/** Words without case and punctuation. */
export const wordsOf = (text: string | null): string =>
  (text ?? '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join(' ');

function kindOf(status: string, table: typeof statuses): StatusKind {
  const parts = status
    .split(/ - |[/,;()]/)
    .map(wordsOf)
    .filter((part) => part !== '' && !saysNothing.includes(part));
  const kinds = parts.map(
    (part) => table.find(([, words]) => words.split(', ').includes(part))?.[0] ?? 'unrecognized',
  );
  const isOver = kinds.includes('ended') || kinds.includes('lapsed');
  if (kinds.length === 0 || (kinds.includes('unrecognized') && !isOver)) return 'unrecognized';
  return order.find((kind) => kinds.includes(kind)) ?? 'unrecognized';
}

export const licenseStatusKind = (status: string): StatusKind => kindOf(status, statuses);

const endingReason =
  /\b(revoked|suspended|surrendered|voluntary surrender|cancell?ed|terminated|deceased|retired|withdrawn|closed|void|not in force|not active|inactive|term|termed|cause|expired|lapsed|non renewed|nonrenewed|not renewed|failed to renew)\b/;

export function appointmentStatusKind({
  status,
  terminationReason,
}: Pick<AppointmentRow, 'status' | 'terminationReason'>): StatusKind {
  const kind = kindOf(status, ofAppointments);
  return kind === 'live' && endingReason.test(wordsOf(terminationReason)) ? 'ended' : kind;
}

/** Whether a reason says that it was for cause. */
export const saysForCause = (reason: string | null): boolean =>
  (reason ?? '')
    .toLowerCase()
    .replaceAll(/(not|not for|without|w\/o|no|other than)\s+cause/g, '')
    .includes('cause');

export type ClassKind = 'surplus lines' | 'adjuster' | 'consultant' | 'other' | 'producer' | 'unrecognized';

/** The kind that the name of a class says. */
const kindOfClassName = (licenseClassName: string | null): ClassKind =>
  classKindOf({ stateCode: 'TX', licenseClassCode: null, licenseClassName }, []);

/** A number of a license, by letters and digits alone, without case and leading zeros. */
export const plainNumber = (number: string): string =>
  number
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^0+/, '');

/** A code or name that is compared without case and what surrounds it. */
export const plain = (text: string | null): string => (text ?? '').trim().toLowerCase();

/** A company's code without leading zeros. */
export const plainCompany = (code: string | null): string => plain(code).replace(/^0+/, '');

export const plainEin = (ein: string | null): string => (plain(ein) === '' ? '' : comparableEin(plain(ein)));

/** A date as it is written. */
export const written = (date: string | null | undefined): string | null => date?.slice(0, 10) ?? null;

export const isAllLines = (text: string): boolean => ['', 'all', 'all lines'].includes(text);

/** What an import said of the classes of a state. */
export interface NaiveClassKind {
  stateCode: string;
  classCode: string | null;
  className: string | null;
  kind: ClassKind | null;
  recordedAt: string;
  isOwn: boolean;
}

type Class = Pick<LicenseRow, 'stateCode' | 'licenseClassCode' | 'licenseClassName'>;

/** The kind of a class: what an import says of it, the organization's own first, else what its name says. */
export function kindOfClass(row: Class, said: readonly NaiveClassKind[]): ClassKind {
  const [code, name] = [plain(row.licenseClassCode), plain(row.licenseClassName)];
  const fitting = said.filter(({ stateCode, classCode, className }) => {
    const [ofCode, ofName] = [plain(classCode), plain(className)];
    if (stateCode !== row.stateCode) return false;
    if (ofCode === '' && ofName === '') return code === '' && name === '';
    return (ofCode === '' || ofCode === code) && (ofName === '' || ofName === name);
  });
  const isTakenBack = (one: NaiveClassKind): boolean =>
    fitting.some(
      (other) =>
        other.kind === null &&
        other.recordedAt >= one.recordedAt &&
        other.isOwn === one.isOwn &&
        plain(other.classCode) === plain(one.classCode) &&
        plain(other.className) === plain(one.className),
    );
  const standing = fitting.filter((one) => !isTakenBack(one));
  const own = standing.filter(({ isOwn }) => isOwn);
  const latest = (own.length > 0 ? own : standing).toSorted((one, other) =>
    one.recordedAt < other.recordedAt ? -1 : 1,
  );
  return latest.at(-1)?.kind ?? kindOfClassName(row.licenseClassName);
}

/** Whether rows of one number are of one license, as far as their classes say. */
export function sameClassAs(one: Class, other: Class, said: readonly NaiveClassKind[]): boolean {
  const codes = [plain(one.licenseClassCode), plain(other.licenseClassCode)];
  if (!codes.includes('')) return codes[0] === codes[1];
  if (plain(one.licenseClassName) === '' || plain(other.licenseClassName) === '') return true;
  return kindOfClass(one, said) === kindOfClass(other, said);
}
