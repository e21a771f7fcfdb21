import * as z from 'zod/mini';
import { partitionWriteUnits } from '#platform/aws/limits.ts';
import { storedItem } from '#platform/data/stored.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { feedDays, keptDays, type OutboxEvent } from './stored.ts';

// An organization's feed: its events, each at a position. The keys are described in `shared/domain/tables.ts`.

/** Events at most that get their positions in one transaction, and are one item of the feed. */
export const mostInRun = 50;

/** Digits of every safe integer, so that the order of the texts is that of the numbers. */
const positionDigits = 16;

export const feedKeys = {
  /** The item that says which position was issued last. After a restore of the table it becomes `continuedAbove`. */
  counter: (upstream: string) => ({ pk: `${upstream}#FEED`, sk: 'COUNTER' }),
  /** Key of a run by its last position: the run of a position is the first that does not end before it. */
  run: (upstream: string, last: number) => ({
    pk: `${upstream}#FEED`,
    sk: String(last).padStart(positionDigits, '0'),
  }),
};

/** Counter of an organization’s positions, which begin at 1; every one up to `last` is in a run, or was. */
export const feedCounter = storedItem('outbox/feed-counter', {
  last: z.int(),
  /** The first position of each UTC day that has one, for as long as the day is kept. */
  firsts: z.record(z.string(), z.int()),
  /** Positions without an event, which readers pass over: a restore of the table lost them. */
  skipped: z.optional(z.array(z.object({ from: z.int(), to: z.int() }))),
  /** The highest number that any of the organization's entities may have had before a restore; the next one is above it. */
  highestSequence: z.optional(z.int()),
  /** Restored table for which this was raised, and for how long that suffices. A further restore copies it along. */
  continued: z.optional(z.object({ table: z.string(), until: z.string() })),
});

export type FeedCounter = z.output<typeof feedCounter>;

/** The events that got their positions in one transaction, in a row. */
export const feedRun = storedItem('outbox/feed-run', {
  /** The position of the first one. */
  first: z.int(),
  /** Place of each in the outbox, and what decides whether a reader wants it. */
  events: z.array(
    z.object({
      eventId: z.string(),
      entityId: z.string(),
      type: z.string(),
      sequence: z.int(),
      /** Size of the event’s payload as JSON. */
      bytes: z.int(),
    }),
  ),
});

type FeedRun = z.output<typeof feedRun>;

export type PlacedEvent = FeedRun['events'][number];

/** The event at a position. */
export interface FeedEntry extends PlacedEvent {
  readonly position: number;
}

export const entriesOf = ({ first, events }: FeedRun): FeedEntry[] =>
  events.map((event, index) => ({ ...event, position: first + index }));

/** The item of a run; it is kept for longer than its positions can be read. */
export const feedItem = (upstream: string, { first, events }: FeedRun, now: Date) => ({
  ...feedKeys.run(upstream, first + events.length - 1),
  first,
  events,
  expiresAt: expiresAfterDays(now, keptDays),
});

/** Bytes of an event's payload as JSON. */
export const payloadBytes = ({ payload }: OutboxEvent): number =>
  Buffer.byteLength(JSON.stringify(payload) ?? '');

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The first UTC day of which the feed has events. */
const firstDay = (now: Date): string => dayOf(new Date(now.getTime() - feedDays * 86_400_000));

/** The counter once positions up to `last` are issued. */
export const advanceCounter = (counter: FeedCounter, last: number, now: Date): FeedCounter => {
  const keptFirsts = Object.entries(counter.firsts).filter(([day]) => day >= firstDay(now));
  // A clock that is behind the last publisher's must not open a day before that one's.
  const today = keptFirsts.reduce((latest, [day]) => (day > latest ? day : latest), dayOf(now));
  return { ...counter, last, firsts: { [today]: counter.last + 1, ...Object.fromEntries(keptFirsts) } };
};

/**
 * The most positions that an organization can get in a second, and numbers likewise: each transaction that issues some writes
 * the counter, which takes two of the write units that its partition has.
 */
const positionsPerSecond = (partitionWriteUnits / 2) * mostInRun;

/**
 * The counter of a table that was restored to an earlier time. Which positions and numbers were issued after that time is not
 * known: it is lost with them. So the counter goes on above all that can have been issued until publishing has moved to the
 * restored table: readers find a gap, and never another event under a position or number that they have seen. No number was
 * above the organization's last position, since each event with a number has a position of its own.
 *
 * @param to the time to which the table was restored
 * @param until when the last event can be published to the table that it replaces
 * @returns undefined if the counter was raised for this table already, and time is left
 */
export function continuedAbove(
  counter: FeedCounter,
  restore: { readonly table: string; readonly to: Date; readonly until: Date; readonly now: Date },
): FeedCounter | undefined {
  const { table, to, until, now } = restore;
  const raisedUntil = counter.continued?.table === table ? new Date(counter.continued.until) : undefined;
  if (raisedUntil !== undefined && raisedUntil > now) return undefined;
  const seconds = Math.ceil((until.getTime() - (raisedUntil ?? to).getTime()) / 1_000);
  const highestSequence = counter.last + seconds * positionsPerSecond;
  return {
    ...advanceCounter(counter, highestSequence, now),
    skipped: [...(counter.skipped ?? []), { from: counter.last + 1, to: highestSequence }],
    highestSequence,
    continued: { table, until: until.toISOString() },
  };
}

/** The oldest position that can be read; the one after the last if there is none. */
export const oldestPosition = ({ last, firsts }: FeedCounter, now: Date): number => {
  const keptFirsts = Object.entries(firsts).flatMap(([day, first]) => (day >= firstDay(now) ? [first] : []));
  return Math.min(last + 1, ...keptFirsts);
};
