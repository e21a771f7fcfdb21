import type { Fault, Faults } from '../../infra/local/faults.ts';
import { draw } from './seeded.ts';

/** Of how many calls one goes wrong so, by chance. */
const shares = { throttle: 0.012, 'fail after': 0.01, crash: 0.0005 } as const satisfies Record<
  Exclude<Fault, 'none'>,
  number
>;

/** Calls in a row of one action by one function that share an outage: as many as the SDK makes of one, and more. */
const outageCalls = 5;
const outageShare = 0.002;

/** Faults that follow from a seed: of each call from what it is and its number, whenever it is made. */
export function seededFaults(seed: string) {
  const injected = new Map<string, number>();
  let armed = false;

  const faultOf: Faults = ({ functionName, action, count }) => {
    const outage = Math.floor(count / outageCalls);
    if (draw(seed, functionName, action, 'outage', outage) < outageShare) return 'throttle';
    const number = draw(seed, functionName, action, count);
    if (number < shares.throttle) return 'throttle';
    if (number < shares.throttle + shares['fail after']) return 'fail after';
    return number < shares.throttle + shares['fail after'] + shares.crash ? 'crash' : 'none';
  };

  return {
    decide: ((call) => {
      if (!armed) return 'none';
      const fault = faultOf(call);
      if (fault !== 'none') injected.set(fault, (injected.get(fault) ?? 0) + 1);
      return fault;
    }) satisfies Faults,
    /** How many there were of each kind. */
    injected: (): Readonly<Record<string, number>> => Object.fromEntries(injected),
    arm(on: boolean): void {
      armed = on;
    },
  };
}
