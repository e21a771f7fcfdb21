import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyStrictObject } from '../../platform/contract/lazy-object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
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
    /** Whether the visits send no events: those of the next reconciliation send what is still to be reported. */
    isQuiet: z.boolean(),
    npns: z.array(npn).check(z.maxLength(npnsOfJob)),
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
    isQuiet = false,
  }: {
    readonly asOf: Date;
    readonly startedAt: Date;
    readonly position: number;
    readonly isQuiet?: boolean;
  },
): ReconciliationJob[] =>
  chunks(npns, { count: npnsOfJob }).map((npnsOfThis, index) => ({
    asOf: asOf.toISOString(),
    startedAt: startedAt.toISOString(),
    position: position + index * npnsOfJob,
    isQuiet,
    npns: npnsOfThis,
  }));
