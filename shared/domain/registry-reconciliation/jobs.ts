import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyStrictObject } from '../../platform/contract/lazy-object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { chunks } from '../../platform/data/chunks.ts';
import { npn } from '../identifiers/npn.ts';

/** NPNs of one job. */
export const npnsOfJob = 25;

/** A message of the registry-reconciliation queue: NPNs that are to be visited. */
export const reconciliationJob = compatible(
  'messages/registry-reconciliation',
  lazyStrictObject(() => ({
    /** The time of the reconciliation, as the log names it. Its visits have times of their own. */
    asOf: timestamp,
    /** When its jobs were queued. An NPN that was visited since is done. */
    startedAt: timestamp,
    /** How many NPNs of the reconciliation come before these: the log says with it how far it is. */
    position: z.int(),
    npns: z.array(npn).check(z.maxLength(npnsOfJob)),
    /** Whose records the visits bring up to date without events: who came in by an import that was to send none. */
    quiet: z.array(lazyStrictObject(() => ({ npn, owner: objectId }))),
  })),
);

export type ReconciliationJob = z.output<typeof reconciliationJob>;

/** The jobs of some NPNs. */
export const jobsOf = (
  npns: readonly string[],
  {
    asOf,
    startedAt,
    position,
    quiet = [],
  }: {
    readonly asOf: Date;
    readonly startedAt: Date;
    readonly position: number;
    readonly quiet?: ReconciliationJob['quiet'];
  },
): ReconciliationJob[] =>
  chunks(npns, { count: npnsOfJob }).map((npnsOfThis, index) => ({
    asOf: asOf.toISOString(),
    startedAt: startedAt.toISOString(),
    position: position + index * npnsOfJob,
    npns: npnsOfThis,
    quiet: quiet.filter((one) => npnsOfThis.includes(one.npn)),
  }));
