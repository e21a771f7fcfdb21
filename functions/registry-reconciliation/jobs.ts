import * as z from 'zod/mini';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { compatible } from '../../shared/platform/contract/compatible.ts';
import { strictObject } from '../../shared/platform/contract/object.ts';
import { objectId, timestamp } from '../../shared/platform/contract/primitives.ts';
import { chunks } from '../../shared/platform/data/grouping.ts';

/** NPNs of one job. */
export const npnsOfJob = 25;

/** A message of the registry-reconciliation queue: NPNs that are to be polled. */
export const reconciliationJob = compatible(
  'messages/registry-reconciliation',
  strictObject(() => ({
    /** The time of the reconciliation, as the log names it. Its polls have times of their own. */
    asOf: timestamp,
    /** When its jobs were queued. An NPN that was polled since is done. */
    startedAt: timestamp,
    /** How many NPNs of the reconciliation come before these: the log says with it how far it is. */
    position: z.int(),
    npns: z.array(npn).check(z.maxLength(npnsOfJob)),
    /** The first polls among them. */
    firstPolls: z.array(
      strictObject(() => ({
        npn,
        owner: objectId,
        /** Whether it sends no events: the NPN is of an import that was to send none. */
        isSilent: z.boolean(),
        /** When the owner's producer or agency was added. */
        since: timestamp,
      })),
    ),
  })),
);

export type ReconciliationJob = z.output<typeof reconciliationJob>;

/** A new NPN, to be polled. */
export type Newcomer = ReconciliationJob['firstPolls'][number];

/** The jobs of some NPNs. */
export const jobsOf = (
  npns: readonly string[],
  {
    asOf,
    startedAt,
    position,
    firstPolls = [],
  }: {
    readonly asOf: Date;
    readonly startedAt: Date;
    readonly position: number;
    readonly firstPolls?: readonly Newcomer[];
  },
): ReconciliationJob[] =>
  chunks(npns, { count: npnsOfJob }).map((npnsOfThis, index) => ({
    asOf: asOf.toISOString(),
    startedAt: startedAt.toISOString(),
    position: position + index * npnsOfJob,
    npns: npnsOfThis,
    firstPolls: firstPolls.filter((one) => npnsOfThis.includes(one.npn)),
  }));
