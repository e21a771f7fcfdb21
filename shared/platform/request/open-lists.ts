// Apart from `rate-limit.ts`, whose counters are of windows: a list is counted for as long as it is open.
import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { RouteGroup } from '../contract/route.ts';
import { absentOr, added, below, present, removed, sized } from '../data/expressions.ts';
import { storedItem } from '../data/stored.ts';
import { tableOf } from '../data/table.ts';
import { rateCountersTable } from '../data/table-design.ts';

/** Takes a place for a list of an organization; answers how it is given back, or undefined if all are taken. */
export type OpenLists = (organizationId: string, now: Date) => Promise<(() => Promise<unknown>) | undefined>;

/** The time limit of functions with lists (`infra/function-uses.ts`): a place that a crash left is over then. */
export const longestOpenSeconds = 310;

/** Each place is `<Unix seconds at which it is over>#<random>`: below a kilobyte for all of them. */
const placesTaken = storedItem('rate-counters/open-lists', { places: z.optional(z.set(z.string())) });

/** The places of a group's lists, of which an organization has so many. */
export function createOpenLists(
  client: DynamoDBClient,
  name: string,
  { name: group, openLists: most = 0 }: RouteGroup,
): OpenLists {
  const table = tableOf(rateCountersTable, client, name);
  return async (organizationId, now) => {
    const key = { pk: `open#${organizationId}#${group}` };
    const seconds = Math.floor(now.getTime() / 1_000);
    const expiresAt = seconds + longestOpenSeconds;
    const place = `${expiresAt}#${randomBytes(4).toString('base64url')}`;
    const take = () =>
      table.change(
        placesTaken,
        key,
        { places: added(new Set([place])), expiresAt },
        { places: absentOr(sized(below(most))) },
      );
    const giveBack = (places: readonly string[]) =>
      table.update(key, { places: removed(new Set(places)) }, { places: present });
    let update = await take();
    if (!update.isWritten) {
      const over = [...(update.item?.places ?? [])].filter((token) => Number.parseInt(token, 10) < seconds);
      if (over.length === 0) return undefined;
      await giveBack(over);
      update = await take();
    }
    return update.isWritten ? () => giveBack([place]) : undefined;
  };
}
