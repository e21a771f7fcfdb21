import * as z from 'zod/mini';
import { agentKeys } from '#domain/agents/stored.ts';
import { associationKeys } from '#domain/associations/stored.ts';
import {
  attempts,
  msUntilDue,
  type PendingChange,
  report,
  reportDeps,
} from '#domain/compliance-changes/report.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import type { Tables } from '#domain/tables.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { chunks, concurrently } from '#platform/data/concurrently.ts';
import { storedItem } from '#platform/data/stored.ts';
import { retryOnConflict, TransactionContention } from '#platform/data/transact.ts';
import { type MessageOutcome, queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSendMessages, createSqsClient, type SendMessages } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

/** Whether it follows from an import: then its messages stay in the queue of imports. */
const importMark = z.optional(z.literal(true));

/** An event of the bus that may change an NPN's compliance; without an NPN, that of all of the carrier's. */
const busEvent = z.object({
  detail: z.object({
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

type DueChange = z.output<typeof dueMessage>['due'];
type RecheckJob = z.output<typeof recheckJob>;
type ComplianceChangeMessage = z.output<typeof complianceChangeMessage>;

const agencyOf = storedItem('associations/association-agency', {
  agency: z.object({ npn: z.nullable(z.string()), isDeleted: z.boolean() }),
  isDeleted: z.boolean(),
});

const agentOf = storedItem('agents/npn-of-holder', { sk: z.string() });

/** NPNs of a page at most. */
const limit = 1_000;

/** Finds the NPNs of a carrier's producers and agencies, page by page, each once in a page. */
const createNpnsOf = ({ agents, associations }: Tables<'agents' | 'associations'>) =>
  async function* (owner: string): AsyncGenerator<readonly string[]> {
    const producers = agents.query(agentOf, agentKeys.npn(owner, '').pk, { only: ['sk'], limit });
    for await (const page of producers) yield page.map(({ sk }) => sk);
    const { pk } = associationKeys.association(owner, '');
    for await (const page of associations.query(agencyOf, pk, { only: ['agency', 'isDeleted'], limit })) {
      const npns = page.map(({ agency, isDeleted }) => (isDeleted || agency.isDeleted ? null : agency.npn));
      yield [...new Set(npns.filter((number) => number !== null))];
    }
  };

/** What work on changes works with; `sendOfImports` sends to the queue of what follows from imports. */
const createChangeSources = ({
  tables,
  send,
  sendOfImports,
  context: { now },
}: Resources<typeof uses, { readonly send: SendMessages; readonly sendOfImports: SendMessages }>) => ({
  ...reportDeps(tables, now),
  npnsOf: createNpnsOf(tables),
  /** Sends to the queue to which a message belongs. */
  sendAs: (isImported: true | undefined): SendMessages => (isImported === true ? sendOfImports : send),
});

type ChangeSources = ReturnType<typeof createChangeSources>;

/**
 * Sends the jobs of a recheck of all NPNs of a carrier: some seconds for 100,000 of them. No job sends another one: only the event's
 * message does, so that the recheck is no chain of invocations, which AWS would end. Where it breaks off, the next delivery sends all
 * jobs again; a change that is recorded twice is reported once.
 *
 * A change during a recheck has an event, and so a recheck, of its own: a report is of what is configured when its window ends, and
 * the NPNs whose window has ended before are recorded again by the later recheck.
 */
async function dispatchRecheck(
  upstreamEntityId: string,
  isImported: true | undefined,
  { npnsOf, sendAs }: ChangeSources,
): Promise<MessageOutcome> {
  for await (const page of npnsOf(upstreamEntityId)) {
    const jobs = chunks(page, { count: npnsOfJob });
    await sendAs(isImported)(
      jobs.map((npns): RecheckJob => ({ recheck: { upstreamEntityId, npns, isImported } })),
    );
  }
  return 'done';
}

/**
 * Processes a message: records changes, or reports those that are due (OpenAPI, "Events"). Any of it may be done twice or
 * fail midway: the changes are recorded in the table, and a message only triggers a check.
 */
async function workOnChanges(
  message: ComplianceChangeMessage,
  sources: ChangeSources,
): Promise<MessageOutcome> {
  if ('due' in message) return reportWhenDue(message.due, sources);
  if ('recheck' in message) return recordChange(message.recheck, sources);
  const { upstreamEntityId, isImported, payload } = message.detail;
  const { npn } = payload;
  return npn === undefined
    ? dispatchRecheck(upstreamEntityId, isImported, sources)
    : recordChange({ upstreamEntityId, npns: [npn], isImported }, sources);
}

/**
 * Records a change of each NPN. A window gets its message when it opens; if that failed, at the next change, which
 * is the same message redelivered.
 */
async function recordChange(
  { upstreamEntityId, npns, isImported }: RecheckJob['recheck'],
  { changes, sendAs, now }: ChangeSources,
): Promise<MessageOutcome> {
  await concurrently(npns, async (npn) => {
    const change = await changes.recordChange(upstreamEntityId, npn, now());
    if (change.isQueued) return;
    const { windowId } = change;
    const dueChange: DueChange = { upstreamEntityId, npn, windowId, isImported };
    await sendAs(isImported)([{ due: dueChange }], secondsUntilDue(change, now()));
    await changes.queued(upstreamEntityId, npn, windowId);
  });
  return 'done';
}

const secondsUntilDue = (change: PendingChange, now: Date): number =>
  Math.ceil(msUntilDue(change, now) / 1_000);

/** Reports a change when its window is over; before that, queues another check for then. */
async function reportWhenDue(dueChange: DueChange, sources: ChangeSources): Promise<MessageOutcome> {
  const { upstreamEntityId: owner, npn, windowId } = dueChange;
  const reportOnce = async (): Promise<void> => {
    const change = await sources.changes.find(owner, npn);
    if (change === undefined || change.windowId !== windowId) return;
    const seconds = secondsUntilDue(change, sources.now());
    if (seconds > 0) await sources.sendAs(dueChange.isImported)([{ due: dueChange }], seconds);
    // A change in between is a conflict: the window moves on, or the report at its cap must be newer.
    else await report(owner, npn, change, sources);
  };
  try {
    await retryOnConflict(reportOnce, { attempts });
    return 'done';
  } catch (error) {
    if (error instanceof TransactionContention) return 'retry';
    throw error;
  }
}

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export const complianceChangesFunction = eventFunction({
  uses,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return {
      queue: queueContext(sqs, values),
      send: createSendMessages(queues['compliance-changes'], sqs),
      sendOfImports: createSendMessages(queues['compliance-changes-imports'], sqs),
    };
  },
  compose(resources) {
    const sources = createChangeSources(resources);
    return queueConsumer({
      schema: complianceChangeMessage,
      work: ({ message }) => workOnChanges(message, sources),
      ...resources.queue,
      log: resources.context.logger,
    });
  },
});
