/** A clock that went with the machine's until some moment and goes so many times faster since. */
export interface FastClock {
  /** Unix milliseconds. */
  readonly since: number;
  readonly speed: number;
}

/** What the clock shows, in Unix milliseconds, when the machine's shows `machineNow`. */
export const timeOn = (clock: FastClock | undefined, machineNow: number): number =>
  clock === undefined ? machineNow : Math.floor(clock.since + (machineNow - clock.since) * clock.speed);

/** Shorter timers guard calls that the machine makes at its own speed. */
const shortestHastenedMs = 10_000;

/**
 * Has `Date` show the clock's time in this thread, and timers of ten seconds and more go by it, for whatever is loaded
 * afterwards.
 */
export function goBy(clock: FastClock): void {
  const setMachineTimer = globalThis.setTimeout;
  globalThis.setTimeout = new Proxy(setMachineTimer, {
    apply: (target, self, [work, ms, ...given]: [() => void, number | undefined, ...unknown[]]): unknown =>
      Reflect.apply(target, self, [
        work,
        ms !== undefined && ms >= shortestHastenedMs ? ms / clock.speed : ms,
        ...given,
      ]),
  });
  const machine = globalThis.Date;
  const now = (): number => timeOn(clock, machine.now());
  globalThis.Date = new Proxy(machine, {
    construct: (target, given, made): object =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
