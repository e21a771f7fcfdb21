// Expressions of metric filters, metric math, and Logs Insights, as far as our alarms and saved queries use them: one
// grammar, since none of the three contradicts another there. Anything else is an error.

export type Value = string | number | boolean | RegExp | undefined | readonly Value[];

/** Looks up a field, a metric, or a word. */
export type Lookup = (name: string) => Value;

export type Expression = (lookup: Lookup) => Value;

/** Functions by name, with the expressions that they are called with. */
export type Functions = Readonly<Record<string, (given: readonly Expression[], lookup: Lookup) => Value>>;

/** A pattern only follows `like`; elsewhere a slash divides. */
const tokens =
  /\s+|(?<=\blike\s+)\/(?:[^/\\]|\\.)*\/|"[^"]*"|\d+(?:\.\d+)?[a-z]?|[$@A-Za-z_][\w.@]*|&&|\|\||[<>!]=|[-+*/=<>()[\],]/y;

function tokensOf(text: string): string[] {
  const found: string[] = [];
  for (tokens.lastIndex = 0; tokens.lastIndex < text.length; ) {
    const at = tokens.lastIndex;
    const [token] = tokens.exec(text) ?? [];
    if (token === undefined) throw new Error(`Not supported: ${text.slice(at)}`);
    if (token.trim() !== '') found.push(token);
  }
  return found;
}

/** A number, also when a log line has it as text; of what holds, 1. */
export function numberOf(value: Value): number {
  if (typeof value === 'string') return value.trim() === '' ? Number.NaN : Number(value);
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : Number.NaN;
}

const isEqual = (one: Value, other: Value): boolean =>
  one !== undefined && (one === other || numberOf(one) === numberOf(other));

/** Of what is no number, nothing: in CloudWatch, a period in which a metric of an expression has no data has no value. */
const numeric =
  (compute: (one: number, other: number) => Value) =>
  (one: Value, other: Value): Value => {
    const [first, second] = [numberOf(one), numberOf(other)];
    return Number.isNaN(first) || Number.isNaN(second) ? undefined : compute(first, second);
  };

/** Operators by how strongly they bind, the weakest first. */
const operators: readonly Readonly<Record<string, (one: Value, other: Value) => Value>>[] = [
  {
    or: (one, other) => one === true || other === true,
    '||': (one, other) => one === true || other === true,
  },
  {
    and: (one, other) => one === true && other === true,
    '&&': (one, other) => one === true && other === true,
  },
  {
    '=': isEqual,
    '!=': (one, other) => !isEqual(one, other),
    like: (one, other) => typeof one === 'string' && other instanceof RegExp && other.test(one),
    in: (one, other) => Array.isArray(other) && other.some((element) => isEqual(one, element)),
    '>=': numeric((one, other) => one >= other),
    '<=': numeric((one, other) => one <= other),
    '>': numeric((one, other) => one > other),
    '<': numeric((one, other) => one < other),
  },
  { '+': numeric((one, other) => one + other), '-': numeric((one, other) => one - other) },
  { '*': numeric((one, other) => one * other), '/': numeric((one, other) => one / other) },
];

/**
 * Parses an expression.
 *
 * @throws Error for what is not supported
 */
export function parseExpression(text: string, functions: Functions = {}): Expression {
  const left = tokensOf(text);
  const expect = (token: string): void => {
    const next = left.shift();
    if (next !== token) throw new Error(`Not supported: "${next}" instead of "${token}" in ${text}`);
  };
  const listUntil = (end: string): Expression[] => {
    const elements: Expression[] = [];
    while (left[0] !== end) {
      elements.push(binary(0));
      if (left[0] !== end) expect(',');
    }
    expect(end);
    return elements;
  };
  const primary = (): Expression => {
    const token = left.shift() ?? '';
    if (token === '(') {
      const inner = binary(0);
      expect(')');
      return inner;
    }
    if (token === '[') {
      const elements = listUntil(']');
      return (lookup) => elements.map((element) => element(lookup));
    }
    if (token === 'not') {
      const negated = binary(2);
      return (lookup) => negated(lookup) !== true;
    }
    if (token.startsWith('"')) return () => token.slice(1, -1);
    if (/^\d+(\.\d+)?$/.test(token)) return () => Number(token);
    if (/^\d/.test(token)) return () => token;
    if (token.length > 1 && token.startsWith('/')) return () => new RegExp(token.slice(1, -1));
    if (!/^[$@A-Za-z_]/.test(token)) throw new Error(`Not supported: "${token}" in ${text}`);
    if (left[0] !== '(') return (lookup) => lookup(token);
    left.shift();
    const given = listUntil(')');
    const called = functions[token];
    if (called === undefined) throw new Error(`The function ${token} is not supported: ${text}`);
    return (lookup) => called(given, lookup);
  };
  const binary = (level: number): Expression => {
    const ofLevel = operators[level];
    if (ofLevel === undefined) return primary();
    let one = binary(level + 1);
    for (;;) {
      const operator = ofLevel[left[0] ?? ''];
      if (operator === undefined) return one;
      left.shift();
      const [before, after] = [one, binary(level + 1)];
      one = (lookup) => operator(before(lookup), after(lookup));
    }
  };
  const parsed = binary(0);
  if (left.length > 0) throw new Error(`Not supported: "${left.join(' ')}" in ${text}`);
  return parsed;
}

/** Looks up a field of a log line by its path: `error.name`, `faults.0`. */
export const fieldsOf =
  (line: object): Lookup =>
  (path) =>
    path.split('.').reduce<unknown>(
      // A path through nothing leads to nothing.
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      line,
    ) as Value;
