import { AsyncLocalStorage } from 'node:async_hooks';

// The clock of an organization that rehearses is ahead of the real one. What is done for it is done by its clock: the clocks of
// functions (`FunctionContext`) say its time there. What has to do with the real world, such as the expiry of an item, says `realTime`.

/** The clocks of organizations. */
export interface Clocks {
  /** Does what is done for an organization, by its clock as it is now. */
  run<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result>;
}

const ahead = new AsyncLocalStorage<number>();

const aheadMs = (): number => ahead.getStore() ?? 0;

/** Does something by a clock that is so many milliseconds ahead of the real one. */
export const runAhead = <Result>(ms: number, work: () => Result): Result => ahead.run(ms, work);

/** A clock that says the time of whom something is done for. */
export const byClock =
  (real: () => Date): (() => Date) =>
  () =>
    new Date(real().getTime() + aheadMs());

/** The real instant at which that clock says this one. */
export const realTime = (instant: Date): Date => new Date(instant.getTime() - aheadMs());

/** Does what is done for an organization, by its clock where there are clocks. */
export const by = <Result>(
  clocks: Clocks | undefined,
  organizationId: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> =>
  clocks === undefined || organizationId === undefined ? work() : clocks.run(organizationId, work);
