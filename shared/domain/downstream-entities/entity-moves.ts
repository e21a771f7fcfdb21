import * as z from 'zod/mini';
import {
  absentOr,
  added,
  below,
  type Changes,
  type Condition,
  removed,
  sized,
} from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table, TableItems } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { limitReached } from '../../platform/errors/domain-error.ts';
import { downstreamEntityKeys, type Placed, recordOwnerOf } from './stored.ts';

/** How an organization's agencies differ from those that it had first. Most organizations have no such difference. */
export interface EntityMoves {
  /** Agencies that belonged to the organization and no longer do. */
  readonly left: ReadonlySet<string>;
  /** Agencies that belong to the organization and had another one, or none, before: by id, their `recordOwnerOf`. */
  readonly joined: ReadonlyMap<string, string>;
}

/** An organization's moves at this moment. */
export type MovesOf = (organizationId: string) => Promise<EntityMoves>;

export const noMoves: EntityMoves = { left: new Set(), joined: new Map() };

/** Sets, since they change without being read; an element of `joined` is an agency's id and its record owner. */
const storedMoves = storedItem('downstream-entities/moves', () => ({
  left: z._default(z.set(z.string()), new Set()),
  joined: z._default(z.set(z.string()), new Set()),
}));

const joinedElement = (entityId: string, recordOwner: string): string => `${entityId} ${recordOwner}`;

export const createMovesOf =
  (entities: Table): MovesOf =>
  async (organizationId) => {
    const stored = await entities.get(storedMoves, downstreamEntityKeys.moves(organizationId));
    if (stored === undefined) return noMoves;
    const joined = Array.from(stored.joined, (element): [string, string] => {
      const [entityId = '', recordOwner = ''] = element.split(' ');
      return [entityId, recordOwner];
    });
    return { left: stored.left, joined: new Map(joined) };
  };

/** Whether an agency changes its organization. */
export const isMove = (before: Placed, after: Placed): boolean =>
  before.downstreamOrganizationId !== after.downstreamOrganizationId;

/** The record owner that an agency must keep when it changes its organization; undefined where the default will do. */
export const keptRecordOwner = (before: Placed | undefined, after: Placed): string | undefined =>
  before === undefined || !isMove(before, after) ? before?.recordOwner : recordOwnerOf(before);

/** Agencies at most that may have left an organization, and that may have joined it. */
export const mostMoved = 4_000;

const hasRoom: Condition = {
  left: absentOr(sized(below(mostMoved))),
  joined: absentOr(sized(below(mostMoved))),
};
const noRoom = () =>
  limitReached(`At most ${mostMoved} agencies can leave an organization, or join it.`, mostMoved);

/** The transaction items that record an agency's change of organization, beside the one that writes the agency. */
export function moveWrites(items: TableItems, before: Placed | undefined, after: Placed): TransactionItem[] {
  const from = before?.downstreamOrganizationId;
  const to = after.downstreamOrganizationId;
  if (before === undefined || !isMove(before, after)) return [];
  const entity = new Set([after._id]);
  const element = new Set([joinedElement(after._id, recordOwnerOf(before))]);
  const update = (organizationId: string, changes: Changes): TransactionItem =>
    items.update(downstreamEntityKeys.moves(organizationId), changes, hasRoom, noRoom);
  return [
    ...(from === undefined ? [] : [update(from, { left: added(entity), joined: removed(element) })]),
    ...(to === undefined ? [] : [update(to, { joined: added(element), left: removed(entity) })]),
  ];
}
