import * as z from 'zod/mini';
import type { CompatibleSchema } from '../../platform/contract/compatible.ts';
import { object } from '../../platform/contract/object.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Key } from '../../platform/data/table.ts';
import { agentKeys } from '../agents/stored.ts';
import { associationKeys } from '../associations/stored.ts';
import type { Tables } from '../tables.ts';

/** How far somebody is among all NPNs of a carrier. */
export const npnsAfter = object(() => ({
  /** A carrier's producers come first, and then its agencies. */
  of: z.enum(['agents', 'associations']),
  /** Sort key of the last one; empty before the first. */
  after: z.string(),
}));

export type NpnsAfter = z.output<typeof npnsAfter>;

export const firstNpns: NpnsAfter = { of: 'agents', after: '' };

/** NPNs of a page at most; the sort key of what a producer or an agency is found by. */
const npnsOfPage = 1_000;

const agencyOf = storedItem('associations/association-agency', () => ({
  sk: z.string(),
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: z.boolean(),
}));

const agentOf = storedItem('agents/npn-of-holder', () => ({ sk: z.string() }));

function nextOf(of: NpnsAfter['of'], lastKey: string | undefined): NpnsAfter | 'done' {
  if (lastKey !== undefined) return { of, after: lastKey };
  return of === 'agents' ? { of: 'associations', after: '' } : 'done';
}

/** Reads all NPNs of a carrier, page by page: each once on a page, and where to go on. */
export const createNpnPages =
  (tables: Tables<'agents' | 'associations'>) =>
  async (owner: string, { of, after }: NpnsAfter, limit = npnsOfPage) => {
    const pageOf = <Schema extends CompatibleSchema>(schema: Schema, { pk }: Key, only: readonly string[]) =>
      tables[of].page(schema, pk, { only, limit, after: after === '' ? undefined : { pk, sk: after } });
    if (of === 'agents') {
      const { items, next } = await pageOf(agentOf, agentKeys.npn(owner, ''), ['sk']);
      return { npns: items.map(({ sk }) => sk), next: nextOf(of, next && items.at(-1)?.sk) };
    }
    const only = ['sk', 'agency', 'isDeleted'];
    const { items, next } = await pageOf(agencyOf, associationKeys.association(owner, ''), only);
    const npns = items.flatMap(({ agency, isDeleted }) =>
      isDeleted || agency.isDeleted || agency.npn === null ? [] : [agency.npn],
    );
    return { npns: [...new Set(npns)], next: nextOf(of, next && items.at(-1)?.sk) };
  };
