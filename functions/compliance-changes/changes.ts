import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { attempts, report } from '../../shared/domain/compliance-changes/report.ts';
import { type PendingChange, untilDue } from '../../shared/domain/compliance-changes/store.ts';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { objectId } from '../../shared/platform/contract/primitives.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { type StoredSchema, storedItem } from '../../shared/platform/data/stored.ts';
import type { Key } from '../../shared/platform/data/table.ts';
import { retryOnConflict, TransactionContention } from '../../shared/platform/data/transact.ts';
import type { MessageOutcome } from '../../shared/platform/queue/consumer.ts';
import type { Deps } from './function.ts';

/** Whether it follows from an import: then its messages stay in the queue of imports. */
const importMark = z.optional(z.literal(true));

/** An event of the bus that may change an NPN's compliance; without an NPN, that of all of the carrier's. */
const busEvent = z.object({
  detail: z.object({
    eventId: z.uuid(),
    upstreamEntityId: objectId,
    isImported: importMark,
    payload: z.object({ npn: z.optional(npn) }),
  }),
});

/** A change of an NPN may be due to be reported. */
export const dueMessage = z.strictObject({
  due: z.strictObject({ upstreamEntityId: objectId, npn, windowId: z.uuid(), isImported: importMark }),
});

/** NPNs of one job: the worker notes them within seconds, and a thousand of them are one call of the queue. */
const npnsOfJob = 100;

/** A job of a recheck of all NPNs of a carrier: changes of these NPNs are to be recorded. */
export const recheckJob = z.strictObject({
  recheck: z.strictObject({
    upstreamEntityId: objectId,
    npns: z.array(npn).check(z.maxLength(npnsOfJob)),
    isImported: importMark,
  }),
});

/** Messages of the compliance-changes queues: events of the bus, and messages of the worker to itself. */
export const complianceChangeMessage = z.union([dueMessage, recheckJob, busEvent]);

type Due = z.output<typeof dueMessage>['due'];
type RecheckJob = z.output<typeof recheckJob>;
type ComplianceChangeMessage = z.output<typeof complianceChangeMessage>;

/** A recheck of all NPNs of a carrier, because of an event. */
interface Recheck {
  readonly upstreamEntityId: string;
  readonly eventId: string;
  readonly isImported: true | undefined;
}

/** How far a recheck is: the last NPN whose job is sent. */
const progressItem = storedItem('compliance/recheck', () => ({
  /** A carrier's producers come first, and then its agencies. */
  of: z.enum(['agents', 'associations']),
  /** Sort key of the last one; empty before the first. */
  after: z.string(),
}));

type RecheckProgress = z.output<typeof progressItem>;

const firstNpns: RecheckProgress = { of: 'agents', after: '' };

/** NPNs of a page at most; the sort key of what a producer or an agency is found by. */
const npnsOfPage = 1_000;

const agencyOf = storedItem('associations/association-agency', () => ({
  sk: z.string(),
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: z.boolean(),
}));

const agentOf = storedItem('agents/npn-of-holder', () => ({ sk: z.string() }));

function nextOf(of: RecheckProgress['of'], lastKey: string | undefined): RecheckProgress | 'done' {
  if (lastKey !== undefined) return { of, after: lastKey };
  return of === 'agents' ? { of: 'associations', after: '' } : 'done';
}

/** Finds the NPNs of a recheck, and remembers how far it is. */
export function createRecheckStore(tables: Tables<'compliance' | 'agents' | 'associations'>) {
  const keyOf = ({ upstreamEntityId, eventId }: Recheck) => complianceKeys.recheck(upstreamEntityId, eventId);

  return {
    async progressOf(recheck: Recheck): Promise<RecheckProgress> {
      return (await tables.compliance.get(progressItem, keyOf(recheck))) ?? firstNpns;
    },

    /** The next page of NPNs, each once, and the progress after it. */
    async page({ upstreamEntityId: owner }: Recheck, { of, after }: RecheckProgress) {
      const pageOf = <Schema extends StoredSchema>(schema: Schema, { pk }: Key, only: readonly string[]) => {
        const last = after === '' ? undefined : { pk, sk: after };
        return tables[of].page(schema, pk, { only, limit: npnsOfPage, after: last });
      };
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
     * Records the progress, until the recheck is done.
     * @returns false when it is no longer at `from`.
     */
    advance(recheck: Recheck, from: RecheckProgress, to: RecheckProgress | 'done'): Promise<boolean> {
      const isFirst = from.of === firstNpns.of && from.after === firstNpns.after;
      const isAsRead = isFirst ? isNew : { of: from.of, after: from.after };
      return to === 'done'
        ? tables.compliance.delete(keyOf(recheck), isAsRead)
        : tables.compliance.put({ ...keyOf(recheck), ...to }, isAsRead);
    },
  };
}

/** How long one delivery of the event sends jobs: half of the worker's minute. It is enough for some 100,000 NPNs. */
const dispatchMs = 30_000;

/**
 * Sends the jobs of a recheck of all NPNs of a carrier. No job sends another one: only this event's message does, so that
 * the recheck is no chain of invocations, which AWS would end. A delivery of the message that crashed, or that had too little
 * time, is continued by the next one, where the recheck's progress says; NPNs whose jobs were sent last may get them twice.
 *
 * A change during a recheck has an event, and so a recheck, of its own: a report is of what is configured when its window ends, and
 * the NPNs whose window has ended before are recorded again by the later recheck.
 */
async function dispatchRecheck(recheck: Recheck, { rechecks, sendAs, now }: Deps): Promise<MessageOutcome> {
  const { upstreamEntityId, isImported } = recheck;
  const endsAt = now().getTime() + dispatchMs;
  let progress: RecheckProgress | 'done' = await rechecks.progressOf(recheck);
  while (progress !== 'done') {
    if (now().getTime() > endsAt) return 'retry';
    const { npns, next } = await rechecks.page(recheck, progress);
    const jobs = chunks(npns, { count: npnsOfJob });
    await sendAs(isImported)(
      jobs.map((npnsOfThis): RecheckJob => ({ recheck: { upstreamEntityId, npns: npnsOfThis, isImported } })),
    );
    // Another delivery of the message is at work too.
    if (!(await rechecks.advance(recheck, progress, next))) return 'retry';
    progress = next;
  }
  return 'done';
}

/**
 * Processes a message: records changes, or reports those that are due (OpenAPI, "Events"). Any of it may be done twice or
 * fail midway: the changes are recorded in the table, and a message only triggers a check.
 */
export async function workOnChanges(message: ComplianceChangeMessage, deps: Deps): Promise<MessageOutcome> {
  if ('due' in message) return reportWhenDue(message.due, deps);
  if ('recheck' in message) return recordChange(message.recheck, deps);
  const { eventId, upstreamEntityId, isImported, payload } = message.detail;
  const { npn } = payload;
  return npn === undefined
    ? dispatchRecheck({ upstreamEntityId, eventId, isImported }, deps)
    : recordChange({ upstreamEntityId, npns: [npn], isImported }, deps);
}

const changesAtOnce = 16;

/**
 * Records a change of each NPN. A window gets its message when it opens; if that failed, at the next change, which
 * is the same message redelivered.
 */
async function recordChange(
  { upstreamEntityId, npns, isImported }: RecheckJob['recheck'],
  { changes, sendAs, now }: Deps,
): Promise<MessageOutcome> {
  await concurrently(npns, changesAtOnce, async (npn) => {
    const change = await changes.recordChange(upstreamEntityId, npn, now());
    if (change.isQueued) return;
    const { windowId } = change;
    const due: Due = { upstreamEntityId, npn, windowId, isImported };
    await sendAs(isImported)([{ due }], secondsUntilDue(change, now()));
    await changes.queued(upstreamEntityId, npn, windowId);
  });
  return 'done';
}

const secondsUntilDue = (change: PendingChange, now: Date): number =>
  Math.ceil(untilDue(change, now) / 1_000);

/** Reports a change when its window is over; before that, queues another check for then. */
async function reportWhenDue(due: Due, deps: Deps): Promise<MessageOutcome> {
  const { upstreamEntityId: owner, npn, windowId } = due;
  const reportOnce = async (): Promise<void> => {
    const change = await deps.changes.find(owner, npn);
    if (change === undefined || change.windowId !== windowId) return;
    const seconds = secondsUntilDue(change, deps.now());
    if (seconds > 0) await deps.sendAs(due.isImported)([{ due }], seconds);
    // A change in between is a conflict: the window moves on, or the report at its cap must be newer.
    else await report(owner, npn, change, deps);
  };
  try {
    await retryOnConflict(reportOnce, { attempts });
    return 'done';
  } catch (error) {
    if (error instanceof TransactionContention) return 'retry';
    throw error;
  }
}
