import { setTimeout as pause } from 'node:timers/promises';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { adminAnswer } from '../support/local-api.ts';
import type { Outcome } from './client.ts';

/**
 * An operator is patient: a sweep makes some hundred calls, and one of them that fails for good is a failed sweep. Of ten sweeps
 * one is whole, and on a busy machine fewer.
 */
const retriedForMs = 1_200_000;

/** Refusals that say: not now. */
const passing = new Set(['service_unavailable', 'transient_transaction_error']);

/**
 * Runs an operator command as an operator does: again, until it is answered for good. A command has no idempotency key, so
 * one that was broken off and had taken effect is refused as a conflict when it comes again: then it is done.
 */
export async function command(
  name: string,
  input: object,
  isDone: (result: Readonly<Record<string, unknown>>) => boolean = () => true,
): Promise<Outcome> {
  const deadline = Date.now() + retriedForMs;
  for (let tries = 1; ; tries += 1) {
    // A call whose function failed or ended is answered with its error, which has no `ok`.
    const { ok, result, error } = await adminAnswer(name, input);
    const data = { ...(result as object | undefined) };
    if (ok === true && isDone(data)) return { status: 200, data, tries };
    const { errorType } = { ...(error as { readonly errorType?: string } | undefined) };
    if (ok === false && errorType === 'conflict' && tries > 1) return { status: 200, data, tries };
    if ((ok === false && !passing.has(errorType ?? '')) || Date.now() > deadline) {
      return { status: ok === false ? 409 : 500, data, tries };
    }
    await pause(100 * (0.5 + Math.random()));
  }
}

/** Imports records of an organization, or of the platform; a record that is refused is a failure. */
export const importAll = (
  organizationId: string | undefined,
  records: readonly object[],
  emitEvents = false,
): Promise<Outcome> =>
  command(
    'import',
    { organizationId, firstLine: 1, lines: records.map((record) => JSON.stringify(record)), emitEvents },
    ({ imported }) => imported === records.length,
  );

/** A sweep until nothing of it is left to the next one. */
export const sweepLicenses = (asOf: CalendarDate): Promise<Outcome> =>
  command('run-license-sweep', { asOf }, ({ failed }) => failed === 0);

/**
 * Licenses of an NPN that stand at a boundary on a day: one is about to expire, one has. They are few: a sweep writes them
 * all at once, and the engine on this machine answers a hundred transactions late that DynamoDB would not notice.
 */
export const licensesDue = (npn: string, today: CalendarDate) =>
  [60, -1].map((days) => ({
    type: 'license',
    status: 'active',
    licenseClassName: 'Insurance Producer',
    residencyStatus: 'resident',
    npn,
    stateCode: 'TX',
    licenseNumber: `${npn}TX${days}`,
    nextRenewalDate: addDays(today, days),
  }));
