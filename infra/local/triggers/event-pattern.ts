import * as z from 'zod/mini';

/**
 * Event patterns, with which rules select events and event source mappings filter records: exact values, prefix, suffix,
 * exists, numeric and anything-but with values. Other operators are rejected when the pattern is read.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

type Scalar = z.output<typeof scalar>;

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

const numeric = z.array(z.union([z.string(), z.number()])).check(
  z.refine((words) => words.length === 2 || words.length === 4),
  z.refine((words) =>
    words.every((word, index) =>
      index % 2 === 0
        ? typeof word === 'string' && Object.hasOwn(comparisons, word)
        : typeof word === 'number',
    ),
  ),
);

const condition = z.union([
  scalar,
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ suffix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ numeric }),
  z.strictObject({ 'anything-but': z.union([scalar, z.array(scalar)]) }),
]);

type Condition = z.output<typeof condition>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an event matches the pattern. */
export type Matches = (event: unknown) => boolean;

/** @throws Error when the pattern has parts that are not supported */
export function readEventPattern(pattern: unknown): Matches {
  if (!isRecord(pattern)) throw new Error(`${JSON.stringify(pattern)} is not an event pattern.`);
  const members = Object.entries(pattern).map(([name, wanted]) => {
    if (name.startsWith('$')) throw new Error(`The local run does not support ${name} in event patterns.`);
    return { name, matches: Array.isArray(wanted) ? readLeaf(wanted) : readEventPattern(wanted) };
  });
  return (event) =>
    members.every(({ name, matches }) =>
      // A list of objects matches where one of them does.
      (Array.isArray(event) ? event : [event]).some((one) => matches(isRecord(one) ? one[name] : undefined)),
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
  // Conditions apply to leaves, never to objects.
  const isLeaf = value !== undefined && !isRecord(value);
  if (!isRecord(wanted)) return isLeaf && value === wanted;
  if ('exists' in wanted) return wanted.exists === isLeaf;
  if (!isLeaf) return false;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  if ('suffix' in wanted) return typeof value === 'string' && value.endsWith(wanted.suffix);
  if ('numeric' in wanted) return typeof value === 'number' && compares(wanted.numeric, value);
  const forbidden: readonly Scalar[] = [wanted['anything-but']].flat();
  return !forbidden.some((one) => one === value);
}

/** `["=", 1]`, or the two ends of a range: `[">", 0, "<=", 5]`. */
const compares = (words: readonly (string | number)[], value: number): boolean =>
  words.every(
    (word, index) => index % 2 === 1 || comparisons[word]?.(value, Number(words[index + 1])) === true,
  );
