// Work that operators have other functions do: how these are invoked, and scheduled work as of a day.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { scheduledWorkSeconds } from '#function/uses.ts';
import { ApiError, type ErrorType, errorRegistry, invalidAt } from '#platform/contract/errors.ts';
import { isoDate } from '#platform/contract/primitives.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import type { uses } from './uses.ts';

/** A function whose work operators have done. */
type InvokedFunction = (typeof uses)['invokes'][number];

/** Invokes a function, and waits for its answer. @throws Error when it fails; SDK errors. */
export type Invoke = (name: InvokedFunction, payload: object) => Promise<unknown>;

/** Longer than any of them may run. */
const requestTimeout = (scheduledWorkSeconds + 10) * 1_000;

/** @param functions the ARN of each. */
export function createInvoke(functions: Readonly<Record<InvokedFunction, string>>): Invoke {
  // Once: what an attempt without an answer has done is not to be done again.
  const client = new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, requestTimeout },
  });
  return async (name, payload) => {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: functions[name], Payload: JSON.stringify(payload) }),
    );
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new Error(`The function ${name} failed: ${text}`);
    return JSON.parse(text);
  };
}

/** Counts of scheduled work. */
const totalsAnswer = z.looseObject({ failed: z.int().check(z.gte(0)) });

const errorTypes = Object.keys(errorRegistry) as [ErrorType, ...ErrorType[]];

export const operatorRefusal = z.object({
  errorType: z.enum(errorTypes),
  errorMessage: z.array(z.string()),
  details: z.optional(z.looseObject({})),
});

/** The answer of a function that operators can call. */
export const operatorAnswer = z.union([
  z.object({ ok: z.literal(true), result: z.looseObject({}) }),
  z.object({ ok: z.literal(false), error: operatorRefusal }),
]);

/** The result in the answer of a function that operators can call, too. @throws ApiError where it refused. */
export function resultOf(answer: unknown): object {
  const outcome = z.parse(operatorAnswer, answer);
  if (outcome.ok) return outcome.result;
  const { errorType, errorMessage, details } = outcome.error;
  throw new ApiError(errorType, { message: errorMessage.join(' '), details });
}

/** The time as of which scheduled work is done; a date means its day in New York. */
export const asOfInput = z.strictObject({ asOf: z.optional(isoDate) });

/** Days back at most: a year that was mistyped would make the next sweep do every day since. */
const earliestAsOfDays = 400;

interface ScheduledWorkDeps {
  readonly invoke: Invoke;
  readonly allowsFutureAsOf: boolean;
  readonly now: () => Date;
}

/** Has scheduled work done at once, as of a given time; returns its totals. */
export function createScheduledWork({ invoke, allowsFutureAsOf, now }: ScheduledWorkDeps) {
  /**
   * @throws ApiError `validation_error` for a day that is too long ago, and a time that is still to come, where it is not allowed.
   */
  function instant(asOfText: string | undefined): Date {
    const present = now();
    if (asOfText === undefined) return present;
    const isDate = asOfText.length === 10;
    const today = newYorkDate(present);
    const earliest = addDays(today, -earliestAsOfDays);
    if ((isDate ? asOfText : newYorkDate(new Date(asOfText))) < earliest) {
      throw invalidAt('asOf', `must not be before ${earliest}, ${earliestAsOfDays} days ago`);
    }
    // What is swept or recorded as of a day that has not come can't be undone when it does.
    if (!allowsFutureAsOf && (isDate ? asOfText > today : new Date(asOfText) > present)) {
      throw invalidAt('asOf', `must not be in the future; it is ${today} in New York`);
    }
    if (isDate && asOfText === today) return present;
    // Noon in UTC falls on the same date in New York, all year round.
    return new Date(isDate ? `${asOfText}T12:00:00.000Z` : asOfText);
  }

  const run =
    (name: 'license-sweep' | 'registry-reconciliation') =>
    async ({ asOf }: z.output<typeof asOfInput>) =>
      z.parse(totalsAnswer, await invoke(name, { task: 'run', asOf: instant(asOf).toISOString() }));

  return { sweepLicenses: run('license-sweep'), reconcileRegistry: run('registry-reconciliation') };
}
