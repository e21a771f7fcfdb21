import * as z from 'zod/mini';

/** An object or array of a JSON text, while what is in it is read. */
interface Open {
  /** Names of an object's members; undefined for an array. */
  readonly names?: Set<string>;
  /** The name of the present member, or the index of the present element. */
  place: string | number;
}

/** End of a string: the next quote that no backslash escapes. */
function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return end;
}

/**
 * The path of the first name in a JSON text that its object has had before; undefined where there is none. `JSON.parse` keeps the
 * last of such members without a word. One pass, and no recursion, however deep the text is nested.
 * @param text what `JSON.parse` has accepted
 */
export function repeatedName(text: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const inner = open.at(-1);
    switch (text[index]) {
      case '{':
        open.push({ names: new Set(), place: '' });
        isName = true;
        break;
      case '[':
        open.push({ place: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (typeof inner?.place === 'number') inner.place += 1;
        isName = inner?.names !== undefined;
        break;
      case '"': {
        const end = endOfString(text, index);
        if (isName && inner?.names !== undefined) {
          inner.place = JSON.parse(text.slice(index, end + 1)) as string;
          if (inner.names.has(inner.place)) return open.map((frame) => frame.place);
          inner.names.add(inner.place);
          isName = false;
        }
        index = end;
        break;
      }
      default:
    }
  }
  return undefined;
}

// JSON as text, the values at paths within it, and what is used of node:util, such as comparing them.

/** A string that is JSON; the next schema validates its value. */
export const jsonText = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: undefined });
      return z.NEVER;
    }
  }),
);

/**
 * Places where a value breaks its schema, and how, for log lines, which have no values: `payload.npn (invalid_type)`. Of alternatives, of the
 * one that it breaks in the fewest places.
 */
export const faultPaths = (
  issues: readonly z.core.$ZodIssue[],
  within: readonly PropertyKey[] = [],
): string[] =>
  issues.flatMap((issue) => {
    const path = [...within, ...issue.path];
    const alternatives = issue.code === 'invalid_union' ? issue.errors : [];
    const [nearest] = alternatives.toSorted((entry, otherEntry) => entry.length - otherEntry.length);
    return nearest === undefined
      ? [`${path.join('.') || 'value'} (${issue.code})`]
      : faultPaths(nearest, path);
  });

/** Code points that JSON may hold and a message of a queue may not: halves of surrogate pairs, U+FFFE and U+FFFF. */
const refusedCharacters = /[\uD800-\uDFFF\uFFFE\uFFFF]/gu;

/**
 * JSON that a queue accepts (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html), on its
 * way through a bus too, which writes it anew and need not keep escapes: what no message may hold becomes U+FFFD. New text holds
 * none of it (OpenAPI, "Validation"); what is stored stays as it is.
 */
export const messageJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.replace(refusedCharacters, '\uFFFD') : member,
  );

// Paths to values within JSON: `linesOfAuthority[0].code`, as refusals name them, or `linesOfAuthority.0.code`.

/** The names and indexes of a path. */
export const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter((step) => step !== '');

/** The value at a path; undefined where there is none. */
export function valueAt(within: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return within;
  if (typeof within !== 'object' || within === null || !Object.hasOwn(within, step)) return undefined;
  return valueAt((within as Readonly<Record<string, unknown>>)[step], rest);
}

/** A value with another one at a path; objects on the way that are not there are made. */
export function withValue(within: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(within)) {
    return within.map((entry, index) => (String(index) === step ? withValue(entry, rest, value) : entry));
  }
  const members: Readonly<Record<string, unknown>> = typeof within === 'object' ? { ...within } : {};
  const previousValue = Object.hasOwn(members, step) ? members[step] : undefined;
  return { ...members, [step]: withValue(previousValue, rest, value) };
}

// An `import` of node:util makes all that it exports, parsers of arguments and threads among them: a twentieth of a function's
// start.
export const { isDeepStrictEqual, promisify } = process.getBuiltinModule('node:util');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Whether two values that were read from JSON texts are the same, whatever the order of members. `isDeepStrictEqual` takes six times
 * as long.
 */
export function isSameJson(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  if (Array.isArray(value) || Array.isArray(other)) {
    if (!Array.isArray(value) || !Array.isArray(other) || value.length !== other.length) return false;
    return value.every((item, index) => isSameJson(item, other[index]));
  }
  if (!isObject(value) || !isObject(other)) return false;
  let more = 0;
  for (const name in value) {
    if (!isSameJson(value[name], other[name])) return false;
    more += 1;
  }
  for (const _name in other) more -= 1;
  return more === 0;
}
