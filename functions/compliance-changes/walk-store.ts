import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import type { FormerIdentity } from '../../shared/domain/compliance/carrier-identity.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import type { CompatibleSchema } from '../../shared/platform/contract/compatible.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Key } from '../../shared/platform/data/table-items.ts';

/** A walk through all NPNs of a carrier, because of an event. */
export interface Walk {
  readonly upstreamEntityId: string;
  readonly eventId: string;
  /** The carrier's identity before the event, where it changed. */
  readonly carrierBefore?: FormerIdentity | undefined;
}

const progressItem = storedItem('compliance/walk', () => ({
  /** A carrier's producers come first, and then its agencies. */
  of: z.enum(['agents', 'associations']),
  /** Sort key of the last one whose job is sent; empty before the first. */
  after: z.string(),
}));

/** How far a walk is. */
export type WalkProgress = z.output<typeof progressItem>;

const atStart: WalkProgress = { of: 'agents', after: '' };

/** Finds the NPNs of a walk, and remembers how far it is. */
export type WalkStore = ReturnType<typeof createWalkStore>;

/** NPNs of a page at most; the sort key of what a producer or an agency is found by. */
const npnsOfPage = 1_000;

const agencyOf = storedItem('associations/association-agency', () => ({
  sk: z.string(),
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: z.boolean(),
}));

const agentOf = storedItem('agents/npn-of-holder', () => ({ sk: z.string() }));

export function createWalkStore(tables: Tables<'compliance' | 'agents' | 'associations'>) {
  const keyOf = ({ upstreamEntityId, eventId }: Walk) => complianceKeys.walk(upstreamEntityId, eventId);

  const nextOf = (of: WalkProgress['of'], lastKey: string | undefined): WalkProgress | 'done' => {
    if (lastKey !== undefined) return { of, after: lastKey };
    return of === 'agents' ? { of: 'associations', after: '' } : 'done';
  };

  return {
    async progressOf(walk: Walk): Promise<WalkProgress> {
      return (await tables.compliance.get(progressItem, keyOf(walk))) ?? atStart;
    },

    /** The next page of NPNs, each once, and the progress after it. */
    async page({ upstreamEntityId: owner }: Walk, { of, after }: WalkProgress) {
      const pageOf = <Schema extends CompatibleSchema>(
        schema: Schema,
        { pk }: Key,
        only: readonly string[],
      ) =>
        tables[of].page(schema, pk, {
          only,
          limit: npnsOfPage,
          after: after === '' ? undefined : { pk, sk: after },
        });
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
    },

    /**
     * Records the progress, until the walk is done.
     * @returns false when it is no longer at `from`.
     */
    advance(walk: Walk, from: WalkProgress, to: WalkProgress | 'done'): Promise<boolean> {
      const isFirst = from.of === atStart.of && from.after === atStart.after;
      const isAsRead = isFirst ? isNew : { of: from.of, after: from.after };
      return to === 'done'
        ? tables.compliance.delete(keyOf(walk), isAsRead)
        : tables.compliance.put({ ...keyOf(walk), ...to }, isAsRead);
    },
  };
}
