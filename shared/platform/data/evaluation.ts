import { isDeepStrictEqual } from './node-util.ts';

// What DynamoDB makes of the expressions of `expressions.ts`, for writes that are planned and not sent (`planned-writes.ts`).

/** An expression's names and values, unmarshalled. */
export interface Meanings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Item = Readonly<Record<string, unknown>>;
/** The steps from an item to a value within it. */
type Path = readonly (string | number)[];

const token = /\s*(#\d+(?:\.#\d+|\[\d+\])*|:\d+|<=|>=|<>|[=<>(),]|[A-Za-z_]+)/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(expression); match !== null; match = token.exec(expression)) {
    tokens.push(match[1] ?? '');
    if (token.lastIndex === expression.length) return tokens;
  }
  throw new Error(`The expression ${expression} cannot be evaluated.`);
}

const valueAt = (item: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null
        ? new Map(Object.entries(value)).get(String(step))
        : undefined,
    item,
  );

const sizeOf = (value: unknown): unknown => {
  if (value instanceof Set) return value.size;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return (
    typeof one === 'string' &&
    typeof other === 'string' &&
    Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  );
}

const comparisons: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '=': (one, other) => one !== undefined && isDeepStrictEqual(one, other),
  '<>': (one, other) => !isDeepStrictEqual(one, other),
  '<': isLess,
  '<=': (one, other) => isLess(one, other) || isDeepStrictEqual(one, other),
  '>': (one, other) => isLess(other, one),
  '>=': (one, other) => isLess(other, one) || isDeepStrictEqual(one, other),
};

class Reader {
  readonly #tokens: string[];
  readonly #meanings: Meanings;
  readonly #item: Item;

  constructor(expression: string, meanings: Meanings, item: Item) {
    this.#tokens = tokensOf(expression);
    this.#meanings = meanings;
    this.#item = item;
  }

  get isDone(): boolean {
    return this.#tokens.length === 0;
  }

  next(): string {
    return this.#tokens.shift() ?? '';
  }

  /** Takes the token where it is next. */
  takes(expected: string): boolean {
    if (this.#tokens[0] !== expected) return false;
    this.#tokens.shift();
    return true;
  }

  path(): Path {
    const steps = this.next().matchAll(/(#\d+)|\[(\d+)\]/g);
    return Array.from(steps, ([, name, index]) =>
      name === undefined ? Number(index) : (this.#meanings.names[name] ?? ''),
    );
  }

  /** The arguments of a function. */
  #arguments(): unknown[] {
    this.takes('(');
    const values = [this.operand()];
    while (this.takes(',')) values.push(this.operand());
    this.takes(')');
    return values;
  }

  /** Every operand is read, whatever it is needed for. */
  operand(): unknown {
    const [first = ''] = this.#tokens;
    if (first.startsWith(':')) return this.#meanings.values[this.next()];
    if (first.startsWith('#')) return valueAt(this.#item, this.path());
    const name = this.next();
    const [one, other] = this.#arguments();
    if (name === 'size') return sizeOf(one);
    if (name === 'if_not_exists') return one ?? other;
    if (name === 'list_append' && Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
    throw new Error(`The operand ${name} cannot be evaluated.`);
  }

  condition(): boolean {
    let holds = this.#all();
    while (this.takes('OR')) holds = this.#all() || holds;
    return holds;
  }

  #all(): boolean {
    let holds = this.#one();
    while (this.takes('AND')) holds = this.#one() && holds;
    return holds;
  }

  #one(): boolean {
    if (this.takes('NOT')) return !this.#one();
    if (this.takes('(')) {
      const holds = this.condition();
      this.takes(')');
      return holds;
    }
    const [first = ''] = this.#tokens;
    if (/^[a-z]/.test(first) && first !== 'size') return this.#function();
    const operand = this.operand();
    const operator = this.next();
    if (operator === 'IN') return this.#arguments().some((one) => isDeepStrictEqual(one, operand));
    const bound = this.operand();
    if (operator !== 'BETWEEN') return comparisons[operator]?.(operand, bound) === true;
    this.takes('AND');
    const end = this.operand();
    return !isLess(operand, bound) && !isLess(end, operand) && operand !== undefined;
  }

  #function(): boolean {
    const name = this.next();
    const [value, other] = this.#arguments();
    if (name === 'attribute_exists') return value !== undefined;
    if (name === 'attribute_not_exists') return value === undefined;
    if (name === 'begins_with') return String(value ?? '').startsWith(String(other)) && value !== undefined;
    if (name !== 'contains') throw new Error(`The function ${name} cannot be evaluated.`);
    if (value instanceof Set) return value.has(other);
    return typeof value === 'string' || Array.isArray(value) ? value.includes(String(other)) : false;
  }
}

/** Whether a condition holds of an item, or of none. */
export const holds = (condition: string | undefined, meanings: Meanings, item: Item = {}): boolean =>
  condition === undefined || new Reader(condition, meanings, item).condition();

/** A value in which another one stands at a path; undefined removes what stands there. */
function withValue(value: unknown, [step, ...rest]: Path, given: unknown): unknown {
  if (step === undefined) return given;
  const inner = withValue(valueAt(value, [step]), rest, given);
  if (Array.isArray(value) && typeof step === 'number') return value.with(step, inner);
  return { ...Object(value), [step]: inner };
}

function added(value: unknown, more: unknown): unknown {
  if (more instanceof Set) return new Set([...(value instanceof Set ? value : []), ...more]);
  return Number(value ?? 0) + Number(more);
}

function without(value: unknown, members: unknown): unknown {
  const left = new Set(
    [...(value instanceof Set ? value : [])].filter((one) => !(members instanceof Set && members.has(one))),
  );
  return left.size === 0 ? undefined : left;
}

const clauses = ['SET', 'REMOVE', 'ADD', 'DELETE'];

/** An item as an update leaves it. */
export function updated(expression: string, meanings: Meanings, item: Item): Item {
  const reader = new Reader(expression, meanings, item);
  let result: unknown = item;
  for (let clause = ''; !reader.isDone; reader.takes(',')) {
    clause = clauses.find((one) => reader.takes(one)) ?? clause;
    const path = reader.path();
    const value = valueAt(item, path);
    if (clause === 'REMOVE') result = withValue(result, path, undefined);
    else if (clause === 'ADD') result = withValue(result, path, added(value, reader.operand()));
    else if (clause === 'DELETE') result = withValue(result, path, without(value, reader.operand()));
    else {
      reader.takes('=');
      result = withValue(result, path, reader.operand());
    }
  }
  return Object.fromEntries(Object.entries(Object(result)));
}
