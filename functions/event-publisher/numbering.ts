import * as z from 'zod/mini';
import { mostInRun } from '../../shared/domain/events/feed.ts';
import { type OutboxItem, outboxItem } from '../../shared/domain/events/stored.ts';
import { isTransient } from '../../shared/platform/aws/transient-errors.ts';
import { chunks, groupBy } from '../../shared/platform/data/grouping.ts';
import { compare } from '../../shared/platform/data/keys.ts';
import { TransactionContention } from '../../shared/platform/data/transact.ts';
import { byTime, type OutboxStore } from './outbox-store.ts';

/** An event with its number. */
interface Numbered {
  readonly item: OutboxItem;
  readonly sequence: number;
}

interface NumberingDeps {
  readonly outbox: Pick<OutboxStore, 'assignNumbers' | 'unpublishedOf' | 'deferredOf'>;
  readonly now: () => Date;
  /** Whether an event can be published; one that can't gets no number, so that receivers do not miss one. */
  readonly fits: (item: OutboxItem) => boolean;
  /** Called for each event that gets no number now. */
  readonly fail: (item: OutboxItem, error: unknown) => void;
}

/**
 * Numbers the events of one organization and places them in its feed: those of an entity in the order in which they are given,
 * deferred ones where they occurred, whether they are given or still wait, and before them any earlier one that has no number
 * since the stream has given up on it. Those that are already published are left out, and so are those that are not given and
 * have a number: the worker that gave it to them publishes them.
 */
export async function numberEvents(
  given: readonly OutboxItem[],
  { outbox, now, fits, fail }: NumberingDeps,
): Promise<Numbered[]> {
  const entities = groupBy(given, ({ pk }) => pk);
  const lastAt = given.reduce((last, { occurredAt }) => (last > occurredAt ? last : occurredAt), '');
  const givenIds = new Set(given.map(({ eventId }) => eventId));
  const unpublished = outbox.unpublishedOf(new Set(entities.keys()), lastAt);

  /** Earlier unpublished events of an entity, deferred ones or others. */
  const earlierOf = async (pk: string, until: string): Promise<readonly OutboxItem[]> => {
    const [deferred, others] = await Promise.all([
      outbox.deferredOf(pk, until),
      // One that can't be read must not hold up the entity's events; the worker that publishes what the stream missed reports it.
      unpublished.then((items) => items.flatMap((item) => z.safeParse(outboxItem, item).data ?? [])),
    ]);
    const missed = others.filter((item) => item.pk === pk && item.occurredAt < until);
    return [...new Map([...deferred, ...missed].map((item) => [item.eventId, item])).values()];
  };

  /** The events of an entity, with those that precede them and have no number yet. */
  const withEarlier = async (ofEntity: readonly OutboxItem[]): Promise<readonly OutboxItem[]> => {
    const pk = ofEntity[0]?.pk ?? '';
    const until = ofEntity.reduce((last, { occurredAt }) => (last > occurredAt ? last : occurredAt), '');
    try {
      const earlier = (await earlierOf(pk, until)).filter(
        (item) => !givenIds.has(item.eventId) && fits(item),
      );
      return inOrder(ofEntity, earlier);
    } catch (error) {
      for (const item of ofEntity) fail(item, error);
      return [];
    }
  };

  const numbered: Numbered[] = [];
  /** Entities of which an event failed, with the error: their next events would take its number. */
  const heldUp = new Map<string, unknown>();

  const assign = async (items: readonly OutboxItem[]): Promise<void> => {
    const free = items.filter(({ pk }) => !heldUp.has(pk));
    for (const item of items) if (heldUp.has(item.pk)) fail(item, heldUp.get(item.pk));
    if (free.length === 0) return;
    try {
      const numbers = await outbox.assignNumbers(free, now());
      for (const item of free) {
        const number = numbers.get(item.eventId);
        const isOurs = number?.isNew === true || givenIds.has(item.eventId);
        if (number !== undefined && isOurs) numbered.push({ item, sequence: number.sequence });
      }
    } catch (error) {
      const isElsewhere = isTransient(error) || error instanceof TransactionContention;
      if (isElsewhere || free.length === 1) {
        for (const item of free) {
          fail(item, error);
          heldUp.set(item.pk, error);
        }
        return;
      }
      // One of them may be at fault: numbered alone, it can't hold up other entities.
      for (const item of free) await assign([item]);
    }
  };

  const ordered = merged(await Promise.all(Array.from(entities.values(), withEarlier)));
  for (const items of chunks(ordered, { count: mostInRun })) await assign(items);
  return numbered;
}

/**
 * The events as they are given, but deferred ones, which came into the stream later, and those that are not given where they
 * occurred.
 */
function inOrder(given: readonly OutboxItem[], earlier: readonly OutboxItem[]): OutboxItem[] {
  const moved = [...given.filter((item) => item.deferred === true), ...earlier].sort(byTime);
  const ordered: OutboxItem[] = [];
  for (const item of given.filter((one) => one.deferred !== true)) {
    const next = moved.findIndex(({ occurredAt }) => occurredAt >= item.occurredAt);
    ordered.push(...moved.splice(0, next === -1 ? moved.length : next), item);
  }
  return [...ordered, ...moved];
}

/** The events of several entities in one order: each entity's as they are, and otherwise what occurred earlier first. */
function merged(entities: readonly (readonly OutboxItem[])[]): OutboxItem[] {
  const placed = entities.flatMap((items) => {
    let at = '';
    return items.map((item) => {
      at = item.occurredAt > at ? item.occurredAt : at;
      return { item, at };
    });
  });
  return placed.sort((one, other) => compare(one.at, other.at)).map(({ item }) => item);
}
