import { isObject } from '../../infra/json.ts';

/**
 * A measurement in which a number that moved by less than a quarter stays as it was. From run to run, counts vary a little with
 * what happens at once, and bytes with the records that are made: so two machines agree, and what changes in the file has changed.
 */
export function steady<Measured>(before: unknown, measured: Measured): Measured;
export function steady(before: unknown, measured: unknown): unknown {
  if (typeof measured === 'number') {
    const was = typeof before === 'number' ? before : 0;
    // A fraction of a call in an operation is as little, where there was none.
    return Math.abs(measured - was) < Math.max(was / 4, 0.05) ? was : measured;
  }
  if (!isObject(measured)) return measured;
  return Object.fromEntries(
    Object.entries(measured).map(([name, one]) => [
      name,
      steady(isObject(before) ? before[name] : undefined, one),
    ]),
  );
}
