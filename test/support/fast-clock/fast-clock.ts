/** A clock that runs faster than the machine's from some moment on. Unix milliseconds. */
export interface FastClock {
  /** Moment of the machine at which it begins, and what it shows then. */
  readonly since: number;
  readonly from: number;
  readonly speed: number;
}

/** The clock's time when the machine's is `machineNow`, both in Unix milliseconds. */
export const timeOn = (clock: FastClock, machineNow: number): number =>
  Math.floor(clock.from + (machineNow - clock.since) * clock.speed);

/** Timers of waits; shorter ones, of a second or more, are timeouts of real calls, which a busy machine makes slower. */
const shortestWaitMs = 10_000;
const shortestTimeoutMs = 1_000;
const callsTakeLonger = 5;
/** No wait becomes shorter: fifteen seconds are the timeout of a delivery, which a busy machine answers in one. */
const leastWaitMs = 3_000;

/**
 * Makes timers of ten seconds or more shorter in all code that this thread loads afterwards, and timeouts of calls longer; with a
 * speed below one, both are longer.
 */
export function installTimers({ speed }: Pick<FastClock, 'speed'>): void {
  const scaled = (ms: number | undefined): number | undefined => {
    if (ms === undefined || ms < shortestTimeoutMs) return ms;
    return speed > 1 && ms < shortestWaitMs ? ms * callsTakeLonger : Math.max(leastWaitMs, ms / speed);
  };
  const setMachineTimer = globalThis.setTimeout;
  globalThis.setTimeout = new Proxy(setMachineTimer, {
    apply: (target, self, [work, ms, ...given]: [() => void, number | undefined, ...unknown[]]): unknown =>
      Reflect.apply(target, self, [work, scaled(ms), ...given]),
  });
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(scaled(ms) ?? ms);
}

/**
 * Makes `Date`, and timers of ten seconds or more, use the clock in all code that this thread loads afterwards.
 */
export function installClock(clock: FastClock): void {
  installTimers(clock);
  const machine = globalThis.Date;
  const now = () => timeOn(clock, machine.now());
  globalThis.Date = new Proxy(machine, {
    construct: (target, given, made): object =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
