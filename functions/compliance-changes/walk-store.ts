import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import type { StoredIdentity } from '../../shared/domain/compliance/carrier-identity.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { partitionQuery } from '../../shared/platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';

/** A walk through all NPNs of a carrier, because of an event. */
export interface Walk {
  readonly upstreamEntityId: string;
  readonly eventId: string;
  /** The carrier's identity before the event, where it changed. */
  readonly carrierBefore?: StoredIdentity | undefined;
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
export interface WalkStore {
  progressOf(walk: Walk): Promise<WalkProgress>;
  /** The next page of NPNs, each once, and the progress after it. */
  page(
    walk: Walk,
    from: WalkProgress,
  ): Promise<{ readonly npns: readonly string[]; readonly next: WalkProgress | 'done' }>;
  /**
   * Records the progress, until the walk is done.
   * @returns false when it is no longer at `from`.
   */
  advance(walk: Walk, from: WalkProgress, to: WalkProgress | 'done'): Promise<boolean>;
}

/** NPNs of a page at most; the sort key of what a producer or an agency is found by. */
const npnsOfPage = 1_000;

const agencyOf = storedItem('associations/association-agency', () => ({
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: z.boolean(),
}));

export function createWalkStore(
  client: DynamoDBClient,
  tables: { readonly compliance: string; readonly agents: string; readonly associations: string },
): WalkStore {
  const keyOf = ({ upstreamEntityId, eventId }: Walk) => complianceKeys.walk(upstreamEntityId, eventId);

  const nextOf = (of: WalkProgress['of'], lastKey: string | undefined): WalkProgress | 'done' => {
    if (lastKey !== undefined) return { of, after: lastKey };
    return of === 'agents' ? { of: 'associations', after: '' } : 'done';
  };

  return {
    async progressOf(walk) {
      const found = await getItem(client, tables.compliance, keyOf(walk), progressItem, { consistent: true });
      return found ?? atStart;
    },

    async page({ upstreamEntityId: owner }, { of, after }) {
      const { pk } = of === 'agents' ? agentKeys.npn(owner, '') : associationKeys.association(owner, '');
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...partitionQuery(tables[of], pk),
          ProjectionExpression: of === 'agents' ? 'sk' : 'agency, isDeleted',
          Limit: npnsOfPage,
          ...(after === '' ? {} : { ExclusiveStartKey: toItem({ pk, sk: after }) }),
        }),
      );
      const npns = Items.map((item) => unmarshall(item)).flatMap((item) => {
        if (of === 'agents') return [String(item['sk'])];
        const { agency, isDeleted } = parseStored(agencyOf, item);
        return isDeleted || agency.isDeleted || agency.npn === null ? [] : [agency.npn];
      });
      return { npns: [...new Set(npns)], next: nextOf(of, LastEvaluatedKey?.['sk']?.S) };
    },

    async advance(walk, from, to) {
      const isFirst = from.of === atStart.of && from.after === atStart.after;
      const unchanged = {
        ConditionExpression: isFirst ? 'attribute_not_exists(pk)' : '#of = :of AND #after = :after',
        ...(isFirst
          ? {}
          : {
              ExpressionAttributeNames: { '#of': 'of', '#after': 'after' },
              ExpressionAttributeValues: toItem({ ':of': from.of, ':after': from.after }),
            }),
      };
      const TableName = tables.compliance;
      const Key = toItem(keyOf(walk));
      return conditionHeld(
        to === 'done'
          ? client.send(new DeleteItemCommand({ TableName, Key, ...unchanged }))
          : client.send(new PutItemCommand({ TableName, Item: { ...Key, ...toItem(to) }, ...unchanged })),
      );
    },
  };
}
