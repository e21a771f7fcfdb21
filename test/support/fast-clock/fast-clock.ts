/** A clock that runs faster than the machine's from some moment on. */
export interface FastClock {
  /** Unix milliseconds. */
  readonly since: number;
  readonly speed: number;
}

/** The clock's time when the machine's is `machineNow`, both in Unix milliseconds. */
export const timeOn = (clock: FastClock, machineNow: number): number =>
  Math.floor(clock.since + (machineNow - clock.since) * clock.speed);

/** Shorter timers are timeouts of real calls, which do not get faster; on a slow machine they do get slower. */
const shortestScaledMs = (speed: number): number => (speed > 1 ? 10_000 : 1_000);

/**
 * Makes timers and timeouts of ten seconds or more shorter in all code that this thread loads afterwards; with a speed below one,
 * those of a second or more longer.
 */
export function installTimers({ speed }: Pick<FastClock, 'speed'>): void {
  const scaled = (ms: number | undefined): number | undefined =>
    ms !== undefined && ms >= shortestScaledMs(speed) ? ms / speed : ms;
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
