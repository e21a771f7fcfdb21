import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { isoDate } from '../../shared/contract/primitives.ts';
import type { EventItems } from '../../shared/events/transaction-items.ts';
import { createSweepStore } from '../../shared/license-sweep/store.ts';
import { sweepAll } from '../../shared/license-sweep/sweep.ts';
import type { LogEvent } from '../../shared/log/events.ts';
import type { Log } from '../../shared/log/log.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import type { Registry } from '../../shared/registry/registry.ts';
import { reconcileAll } from '../../shared/registry-reconciliation/reconcile.ts';
import { createReconciliationStore } from '../../shared/registry-reconciliation/store.ts';

/** The time as of which scheduled work is done; a date means its day in New York. */
export const asOfInput = z.strictObject({ asOf: z.optional(isoDate) });

/** Does scheduled work at once, as of a given time; returns its totals. */
export interface ScheduledWork {
  readonly sweepLicenses: (input: z.output<typeof asOfInput>) => Promise<object>;
  readonly reconcileRegistry: (input: z.output<typeof asOfInput>) => Promise<object>;
}

interface ScheduledWorkDeps {
  readonly dynamo: DynamoDBClient;
  readonly tables: {
    readonly registryRecords: string;
    readonly agents: string;
    readonly associations: string;
  };
  readonly registry: Registry;
  readonly events: EventItems;
  readonly now: () => Date;
  readonly log: Log;
}

export function createScheduledWork({
  dynamo,
  tables,
  registry,
  events,
  now,
  log,
}: ScheduledWorkDeps): ScheduledWork {
  const holders = createNpnHolders(dynamo, tables);
  const sweepStore = createSweepStore(dynamo, tables.registryRecords);
  const reconciliationStore = createReconciliationStore(dynamo, tables.registryRecords);
  const logFailure = (event: LogEvent) => (context: object, error: unknown) =>
    log.error('Scheduled work failed; it can be retried.', {
      event,
      ...context,
      error: toError(error),
    });
  // Noon in UTC falls on the same date in New York, all year round.
  const instant = (asOf: string | undefined): Date =>
    asOf === undefined ? now() : new Date(asOf.length === 10 ? `${asOf}T12:00:00.000Z` : asOf);

  return {
    sweepLicenses: ({ asOf }) =>
      sweepAll(instant(asOf), {
        store: sweepStore,
        holders,
        events,
        now,
        onFailure: logFailure('license_not_swept'),
      }),
    reconcileRegistry: ({ asOf }) =>
      reconcileAll(instant(asOf), {
        store: reconciliationStore,
        registry,
        holders,
        events,
        now,
        onFailure: logFailure('subscription_not_reconciled'),
      }),
  };
}
