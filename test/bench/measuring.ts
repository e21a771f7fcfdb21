import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { dynamo } from '../support/tables.ts';
import { median } from './report.ts';

/** A length that a budget names, or a part of it, for a look that takes no minutes: `BENCH_SCALE=0.01`. */
export const scaled = (length: number): number => length * Number(process.env['BENCH_SCALE'] ?? 1);

/** A list of what is made of each index below a length. */
export const every = <Item>(length: number, itemOf: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => itemOf(index));

/** Milliseconds that some work takes. */
export async function milliseconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Median milliseconds of some work and of what it is compared with. They take turns, as many again before to warm up. */
export async function inTurns(turns: number, work: () => unknown, compared: () => unknown) {
  const times: { readonly own: number; readonly other: number }[] = [];
  const counted = Math.max(3, scaled(turns));
  for (let turn = -counted; turn < counted; turn += 1) {
    const time = { own: await milliseconds(work), other: await milliseconds(compared) };
    if (turn >= 0) times.push(time);
  }
  return { own: median(times.map(({ own }) => own)), other: median(times.map(({ other }) => other)) };
}

/** A call of the database. */
export interface Call {
  /** Name of its command, such as `GetItemCommand`. */
  readonly name: string;
  readonly input: object;
  /** Makes it again. */
  readonly again: () => Promise<unknown>;
  /** Number of its group: calls that begin while others of it are under way. */
  readonly group: number;
  /** One more than the calls that ended before it began and followed each other. */
  readonly round: number;
  /** Capacity units that it consumed: the engine counts as AWS does, but for transactions of several items. */
  units: number;
}

const capacity = z.object({ CapacityUnits: z._default(z.number(), 0) });
const answered = z.object({ ConsumedCapacity: z.optional(z.union([capacity, z.array(capacity)])) });

/** The calls that some work makes of the database, and those of others that it counts. */
export async function callsOf(
  work: (count: <Result>(name: string, call: () => Promise<Result>) => Promise<Result>) => Promise<unknown>,
  client: DynamoDBClient = dynamo,
): Promise<Call[]> {
  const calls: Call[] = [];
  let [underWay, groups, rounds] = [0, 0, 0];
  async function count<Result>(name: string, again: () => Promise<Result>, input = {}): Promise<Result> {
    if (underWay === 0) groups += 1;
    const call = { name, input, again, group: groups, round: rounds + 1, units: 0 };
    calls.push(call);
    underWay += 1;
    try {
      const result = await again();
      const { data } = z.safeParse(answered, result);
      for (const { CapacityUnits } of [data?.ConsumedCapacity ?? []].flat()) call.units += CapacityUnits;
      rounds = Math.max(rounds, call.round);
      return result;
    } finally {
      underWay -= 1;
    }
  }
  const send = client.send.bind(client) as (command: object) => Promise<unknown>;
  const counted = (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    return count(command.constructor.name, () => send(command), command.input);
  };
  Object.assign(client, { send: counted });
  try {
    await work(count);
  } finally {
    Object.assign(client, { send });
  }
  return calls;
}

/** Capacity units of these calls. */
export const unitsOf = (calls: readonly Call[]): number => calls.reduce((sum, { units }) => sum + units, 0);
