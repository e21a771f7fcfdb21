import { AsyncLocalStorage } from 'node:async_hooks';

// The clock of an organization that rehearses is ahead of the real one. What is done for it is done by its clock: the clocks of
// functions (`FunctionContext`) say its time there. What has to do with the real world, such as the expiry of an item, says `realTime`.

/** The clocks of organizations. */
export interface Clocks {
  /** Does what is done for an organization, by its clock as it is now. */
  run<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result>;
  /** The organizations that have a clock of their own. */
  owners(): Promise<ReadonlySet<string>>;
}

/** How a clock is ahead of the real one. */
interface Ahead {
  readonly aheadMs: number;
  /** Since when, in real time. */
  readonly since?: string | undefined;
}

const ahead = new AsyncLocalStorage<Ahead>();

const aheadMs = (): number => ahead.getStore()?.aheadMs ?? 0;

/** Does something by a clock that is so many milliseconds ahead of the real one. */
export const runAhead = <Result>(clock: Ahead, work: () => Result): Result => ahead.run(clock, work);

/** A clock that says the time of whom something is done for. */
export const byClock =
  (real: () => Date): (() => Date) =>
  () =>
    new Date(real().getTime() + aheadMs());

/** The real instant at which that clock says this one. */
export const realTime = (instant: Date): Date => new Date(instant.getTime() - aheadMs());

/** What is dated by a clock less than this after the real time is not told from what is dated by that. */
const toldApartMs = 60_000;

/**
 * Whether something that was dated at a real time by the clock of an organization is gone, since the clock was set back then.
 * @param setBackAt real time of that; by default, all was that is not of the clock by which this is done.
 */
export function isSetBack(dated: Date, at: Date, setBackAt = ahead.getStore()?.since): boolean {
  const isAhead = dated.getTime() - at.getTime() > toldApartMs;
  return isAhead && (setBackAt === undefined || at < new Date(setBackAt));
}

/** Does what is done for an organization, by its clock where there are clocks. */
export const by = <Result>(
  clocks: Clocks | undefined,
  organizationId: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> =>
  clocks === undefined || organizationId === undefined ? work() : clocks.run(organizationId, work);
