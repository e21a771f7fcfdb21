import * as z from 'zod/mini';
import { isObject } from '../../json.ts';

/**
 * Event patterns, with which rules select events and event source mappings filter records: exact values, prefixes, and
 * whether there is a value.
 * Other operators are rejected when the pattern is read.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */

const condition = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
]);

type Condition = z.output<typeof condition>;

/** Whether an event matches the pattern. */
export type Matches = (event: unknown) => boolean;

/** @throws Error when the pattern has parts that are not supported */
export function readEventPattern(pattern: unknown): Matches {
  if (!isObject(pattern)) throw new Error(`${JSON.stringify(pattern)} is not an event pattern.`);
  const members = Object.entries(pattern).map(([name, wanted]) => {
    if (name.startsWith('$')) throw new Error(`The local run does not support ${name} in event patterns.`);
    return { name, matches: Array.isArray(wanted) ? readLeaf(wanted) : readEventPattern(wanted) };
  });
  return (event) =>
    members.every(({ name, matches }) =>
      // A list of objects matches where one of them does.
      (Array.isArray(event) ? event : [event]).some((one) => matches(isObject(one) ? one[name] : undefined)),
    );
}

/** The alternative conditions on a value; of a list of values, one has to meet one of them. */
function readLeaf(wanted: readonly unknown[]): Matches {
  const conditions = wanted.map((one) => {
    const parsed = z.safeParse(condition, one);
    if (!parsed.success) {
      throw new Error(`The local run does not support ${JSON.stringify(one)} in event patterns.`);
    }
    return parsed.data;
  });
  if (conditions.length === 0) throw new Error('An event pattern needs a value to look for.');
  return (found) => {
    const values = Array.isArray(found) ? found : [found];
    return conditions.some((one) => values.some((value) => meets(one, value)));
  };
}

function meets(wanted: Condition, value: unknown): boolean {
  if (!isObject(wanted)) return value === wanted;
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  return typeof value === 'string' && value.startsWith(wanted.prefix);
}
