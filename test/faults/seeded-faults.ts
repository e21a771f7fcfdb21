import type { Fault, Faults } from '../support/aws-faults/faults.ts';
import { draw } from '../support/seeded.ts';

/** Calls in a row of an action by a function that share an outage: as many as the SDK makes of one, and more. */
const outageCalls = 5;
const outageShare = 0.002;

const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];
const batches = ['BatchGetItem', 'BatchWriteItem', 'BatchExecuteStatement', 'SendMessageBatch', 'PutEvents'];
const deliveries = ['SendMessage', 'SendMessageBatch', 'PutEvents'];

/** Shares of calls that fail in each way, and the operations that can; all, unless they are named. */
const shares: readonly (readonly [
  fault: Exclude<Fault, 'none'>,
  share: number,
  operations?: readonly string[],
])[] = [
  ['throttle', 0.012],
  ['partial', 0.012, batches],
  ['conflict', 0.004, writes],
  ['fail before', 0.01],
  ['fail after', 0.01],
  ['duplicate', 0.1, deliveries],
  ['crash', 0.0005],
];

export const faultKinds = shares.map(([fault]) => fault);

/** The longest that an index takes to show a write: milliseconds of the machine. */
const longestLagMs = 2_000;

/** Faults that follow from a seed: of each call from what it is and its number. @param rate by how much their shares are multiplied. */
export function seededFaults(seed: string, rate: number) {
  const injected = new Map<Fault, number>();
  let isArmed = false;

  const faultOf: Faults = ({ functionName, action, count }) => {
    const outage = Math.floor(count / outageCalls);
    if (draw(seed, functionName, action, 'outage', outage) < outageShare * rate) return 'throttle';
    const operation = action.split(':')[1] ?? '';
    let number = draw(seed, functionName, action, count);
    for (const [fault, share, operations = [operation]] of shares) {
      if (!operations.includes(operation)) continue;
      number -= share * rate;
      if (number < 0) return fault;
    }
    return 'none';
  };

  return {
    decide: ((call) => {
      const fault = isArmed ? faultOf(call) : 'none';
      if (fault !== 'none') injected.set(fault, (injected.get(fault) ?? 0) + 1);
      return fault;
    }) satisfies Faults,
    indexLag: (table: string, count: number): number =>
      isArmed ? Math.floor(draw(seed, table, 'lag', count) * longestLagMs) : 0,
    /** Number of faults so far by kind. */
    injected,
    arm(on: boolean): void {
      isArmed = on;
    },
  };
}
