import { never } from '#domain/decision/dates.ts';
import type { DatedRow, Identity, Statement } from '#domain/decision/statements.ts';
import { addDays } from '#platform/dates/dates.ts';

/** A row of a case; `last` is its last day. */
interface Written {
  readonly status?: DatedRow['status'];
  readonly begins?: string | null;
  readonly last?: string;
  readonly since?: string;
  readonly isDeleted?: boolean;
  readonly lines?: readonly DatedRow[];
  readonly identity?: Identity;
}

const part = (...names: readonly (string | null)[]): Identity[number] => ({ names, unnamed: 'unclear' });

/** A license by its number, class code, and class name. */
export const ofLicense = (code: string | null, name: string | null = null, number = '1'): Identity => [
  part(number),
  part(code, name),
];

/** An appointment by its company, line, and county. */
export const ofAppointment = ({
  code = '22314',
  ein = null,
  company = null,
  line = 'C',
  lineName = null,
  county = null,
}: {
  readonly code?: string | null;
  readonly ein?: string | null;
  readonly company?: string | null;
  readonly line?: string | null;
  readonly lineName?: string | null;
  readonly county?: string | null;
} = {}): Identity => [
  part(code, ein, company),
  { names: [line, lineName], unnamed: 'all lines' },
  { names: [county], unnamed: 'whole state' },
];

/** A row of the license, live from 2018-01-01 unless it says otherwise. */
export const row = ({
  begins = '2018-01-01',
  last,
  since,
  status = 'live',
  identity,
  ...more
}: Written = {}): DatedRow => ({
  identity: identity ?? ofLicense('pro'),
  status,
  begins,
  ends: last === undefined ? never : addDays(last, 1),
  since: since ?? null,
  ...more,
});

/** A row of an appointment, or of a license, by what identifies it. */
export const appointment = (of: Parameters<typeof ofAppointment>[0] = {}, written: Written = {}): DatedRow =>
  row({ ...written, identity: ofAppointment(of) });
export const license = (of: Parameters<typeof ofLicense>, written: Written = {}): DatedRow =>
  row({ ...written, identity: ofLicense(...of) });

export const line = (code: string, written: Omit<Written, 'lines' | 'last'> = {}): DatedRow =>
  row({ begins: null, ...written, identity: [part(code, null)] });

const statement =
  (by: Statement['by'], isComplete: boolean) =>
  (knownOn: string, ...rows: readonly DatedRow[]): Statement => ({
    id: `${by} ${JSON.stringify(rows)}`,
    at: `${knownOn}T15:00:00.000Z`,
    recordedAt: `${knownOn}T15:00:01.000Z`,
    knownOn,
    by,
    isComplete,
    rows,
  });

/** What the registry reports; what a file says of some; a file with `complete: true`. */
export const report = statement('registry', true);
export const file = statement('import', false);
export const completeFile = statement('import', true);

export type State = 'yes' | 'no' | '?';

export interface DayCase {
  readonly after: readonly Statement[];
  /**
   * Days with their states, as `2026-04-30 yes, 2026-05-01 no`, of the license or appointment that `of` names, else of any; with
   * `line`, of its line of that code.
   */
  readonly is: string;
  readonly of?: Identity;
  readonly line?: string;
}

export const renewed = { last: '2028-03-31' };
export const lapsing = { last: '2026-03-31' };
export const revoked = { status: 'ended', since: '2026-05-01' } as const;
export const undated = { begins: null } as const;
