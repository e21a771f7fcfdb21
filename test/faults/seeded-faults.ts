import type { Fault, Faults } from '../support/aws-faults/faults.ts';
import type { IndexLag } from '../support/aws-faults/index-lag.ts';
import { chosen, draw } from './seeded.ts';

/** Of how many calls one goes wrong so, by chance. */
export interface FaultRates {
  /** Refused, or done in part where a call carries several things. */
  readonly throttle: number;
  /** A write of DynamoDB that meets another one. */
  readonly conflict: number;
  /** The connection breaks before the call takes effect. */
  readonly 'fail before': number;
  /** The answer is lost. */
  readonly 'fail after': number;
  readonly crash: number;
  /** A message or an event that is delivered twice. */
  readonly duplicate: number;
  /** Calls in a row that are all refused. */
  readonly outage: number;
}

/** Calls in a row of one action by one function that share an outage: as many as the SDK makes of one, and more. */
const outageCalls = 5;

/** The longest that an index takes to show a write. */
const longestLagMs = 2_000;

/** In a short run, a kind of fault that there was not yet comes after so many calls. */
const callsPerMissing = 5;

/** Calls after which a message comes twice, by what delivers it. */
const deliverers: Readonly<Record<string, 'queue' | 'bus'>> = {
  SendMessage: 'queue',
  SendMessageBatch: 'queue',
  PutEvents: 'bus',
};

/** Every kind of fault, as it is counted. */
export const faultKinds = [
  'throttle',
  'conflict',
  'fail before',
  'partial',
  'fail after',
  'crash',
  'duplicate of the queue',
  'duplicate of the bus',
  'duplicate of the scheduler',
] as const;

type FaultKind = (typeof faultKinds)[number];

/** What a fault of a call counts as. */
const kindOf = (fault: Exclude<Fault, 'none'>, operation: string): FaultKind =>
  fault === 'duplicate' ? `duplicate of the ${deliverers[operation] ?? 'queue'}` : fault;

/** Faults of calls: first those that fewer calls can have. */
const callFaults = [
  'duplicate',
  'throttle',
  'conflict',
  'fail before',
  'partial',
  'fail after',
  'crash',
] as const satisfies Fault[];

const meets = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);
const carriesSeveral = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'BatchExecuteStatement',
  'SendMessageBatch',
  'PutEvents',
]);

/** Whether a call can have this kind of fault. */
const canHave = (kind: Fault, operation: string): boolean => {
  if (kind === 'conflict') return meets.has(operation);
  if (kind === 'duplicate') return operation in deliverers;
  return kind !== 'partial' || carriesSeveral.has(operation);
};

/**
 * Faults that follow from a seed: of each call from what it is and its number, whenever it is made. Where a run is too short for
 * chance, `everyKind` has each occur.
 */
export function seededFaults(seed: string, rates: FaultRates, everyKind: boolean) {
  const injected = new Map<FaultKind, number>();
  let armed = false;
  /** Since the last of those that `everyKind` adds. */
  let calls = 0;

  const count = (kind: FaultKind): void => void injected.set(kind, (injected.get(kind) ?? 0) + 1);

  /** A kind that there was not yet, if it is time for one. */
  const missingFor = (action: string): Fault | undefined => {
    calls += 1;
    const operation = action.split(':')[1] ?? '';
    const isDue = calls >= callsPerMissing || operation in deliverers;
    if (!everyKind || !isDue) return undefined;
    const missing = callFaults.find(
      (fault) => canHave(fault, operation) && !injected.has(kindOf(fault, operation)),
    );
    if (missing !== undefined) calls = 0;
    return missing;
  };

  const faultOf: Faults = ({ functionName, action, count }) => {
    const outage = Math.floor(count / outageCalls);
    if (draw(seed, functionName, action, 'outage', outage) < rates.outage) return 'throttle';
    const operation = action.split(':')[1] ?? '';
    let number = draw(seed, functionName, action, count);
    const isNow = (share: number): boolean => {
      number -= share;
      return number < 0;
    };
    if (isNow(rates.throttle)) {
      const forms = carriesSeveral.has(operation)
        ? (['partial', 'throttle'] as const)
        : (['throttle'] as const);
      return chosen<Fault>(forms, draw(seed, functionName, action, 'form', count));
    }
    if (isNow(rates.conflict)) return meets.has(operation) ? 'conflict' : 'none';
    if (isNow(rates['fail before'])) return 'fail before';
    if (isNow(rates['fail after'])) return 'fail after';
    if (operation in deliverers && isNow(rates.duplicate)) return 'duplicate';
    return isNow(rates.crash) ? 'crash' : 'none';
  };

  return {
    decide: ((call) => {
      if (!armed) return 'none';
      const fault = missingFor(call.action) ?? faultOf(call);
      if (fault !== 'none') count(kindOf(fault, call.action.split(':')[1] ?? ''));
      return fault;
    }) satisfies Faults,
    /** Indexes follow their tables by up to two seconds of the machine: what reads after a write does so at its speed. */
    indexLag: ((table, count) =>
      armed ? Math.floor(draw(seed, table, 'lag', count) * longestLagMs) : 0) satisfies IndexLag,
    /** Counts a fault that the run makes itself. */
    count,
    /** How many there were of each kind. */
    injected: (): Readonly<Record<string, number>> => Object.fromEntries(injected),
    arm(on: boolean): void {
      armed = on;
    },
  };
}
