import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { type RegistryReport, registryHolder } from '../registry/registry.ts';
import { npnOfPartition, registryKeys } from './stored.ts';

const visitedHolder = z.object({
  ...registryHolder.shape,
  visitedAt: timestamp,
});

type VisitedHolder = z.output<typeof visitedHolder>;

const visitedNpn = storedItem('registry-records/visited-npn', {
  pk: z.string(),
  holder: z.optional(visitedHolder),
});

/**
 * The change of an NPN's item that says who holds it, by a visit: the registry's public facts, so that one organization's visit
 * answers another's lookup.
 */
export const holderChange = ({ kind, name }: RegistryReport, time: Date) => ({
  holder: kind === undefined ? undefined : { kind, name, visitedAt: time.toISOString() },
});

/** Milliseconds for which a visit says who holds an NPN. */
const answersForMs = 24 * 3_600_000;

/** Finds who holds NPNs, by NPN, where a visit of the last 24 hours found somebody. */
export const createHoldersOfVisits =
  (table: Pick<Table, 'getAll'>) =>
  async (npns: readonly string[], now: Date): Promise<ReadonlyMap<string, VisitedHolder>> => {
    const since = new Date(now.getTime() - answersForMs).toISOString();
    const visitedNpns = await table.getAll(visitedNpn, npns.map(registryKeys.npn), { consistent: false });
    return new Map(
      visitedNpns.flatMap(({ pk, holder }) =>
        holder !== undefined && holder.visitedAt > since ? [[npnOfPartition(pk), holder] as const] : [],
      ),
    );
  };
