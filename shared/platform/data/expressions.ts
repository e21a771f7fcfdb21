import type { BatchStatementRequest } from '@aws-sdk/client-dynamodb';
import { toItem } from './dynamo.ts';

// DynamoDB's expressions, made of objects; see `Table`, whose files alone use what is not a test or a change.

/** Placeholders of names and values in an expression. */
export type Placeholders = Pick<Terms, 'name' | 'value'>;

/** The placeholders of one request. Every name has one, so that no attribute is a reserved word. */
export class Terms {
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];

  /** Placeholder of an attribute, or of a part of one: `status`, `entityInfo.jobId`, `versions[2].scan`. */
  name = (path: string): string => path.replaceAll(/[a-z_]\w*/gi, (part) => this.#nameOf(part));

  value = (value: unknown): string => `:${this.#values.push(value) - 1}`;

  /** Members of the request for its placeholders. */
  placeholders() {
    const nameEntries = this.#names.map((name, index) => [`#${index}`, name] as const);
    const valueEntries = this.#values.map((value, index) => [`:${index}`, value] as const);
    return {
      ...(nameEntries.length === 0 ? {} : { ExpressionAttributeNames: Object.fromEntries(nameEntries) }),
      ...(valueEntries.length === 0
        ? {}
        : { ExpressionAttributeValues: toItem(Object.fromEntries(valueEntries)) }),
    };
  }

  #nameOf(part: string): string {
    const knownIndex = this.#names.indexOf(part);
    return `#${knownIndex === -1 ? this.#names.push(part) - 1 : knownIndex}`;
  }
}

/** Test of an attribute, other than equality with a value: the expression, given the attribute's placeholder. */
export type Test = (name: string, terms: Placeholders) => string;

const comparison =
  (operator: string) =>
  (operand: unknown): Test =>
  (name, { value }) =>
    `${name} ${operator} ${value(operand)}`;

export const below = comparison('<');
export const atMost = comparison('<=');
export const above = comparison('>');
export const atLeast = comparison('>=');
export const isNot = comparison('<>');
/** Both ends included. */
export const between =
  (from: unknown, to: unknown): Test =>
  (name, { value }) =>
    `${name} BETWEEN ${value(from)} AND ${value(to)}`;
export const oneOf =
  (...values: readonly unknown[]): Test =>
  (name, { value }) =>
    `${name} IN (${values.map((member) => value(member)).join(', ')})`;
export const startsWith =
  (prefix: string): Test =>
  (name, { value }) =>
    `begins_with(${name}, ${value(prefix)})`;
export const present: Test = (name) => `attribute_exists(${name})`;
const absent: Test = (name) => `attribute_not_exists(${name})`;
/** The attribute is not there, or passes a test, or is equal to a value. */
export const absentOr =
  (test: unknown): Test =>
  (name, terms) =>
    `(${absent(name, terms)} OR ${testOf(test)(name, terms)})`;
/** Test whether a set or a text contains a member. */
export const containing =
  (member: string): Test =>
  (name, { value }) =>
    `contains(${name}, ${value(member)})`;
export const not =
  (test: Test): Test =>
  (name, terms) =>
    `NOT ${test(name, terms)}`;
/** Test of the number of elements. */
export const sized =
  (test: unknown): Test =>
  (name, terms) =>
    testOf(test)(`size(${name})`, terms);

const isTest = (value: unknown): value is Test => typeof value === 'function';

const testOf = (value: unknown): Test => {
  if (isTest(value)) return value;
  return value === undefined ? absent : comparison('=')(value);
};

/**
 * Condition on the stored item, or on none: each attribute is equal to its value, not there where that is undefined, or
 * passes its test (`below`, `absentOr` …). What none of them says is a function that writes the expression.
 */
export type Condition = Readonly<Record<string, unknown>> | ((terms: Placeholders) => string);

/** There is no item yet. */
export const isNew: Condition = { pk: undefined };
export const exists: Condition = { pk: present };

export const conditionOf = (condition: Condition, terms: Placeholders): string =>
  typeof condition === 'function'
    ? condition(terms)
    : Object.entries(condition)
        .map(([path, test]) => testOf(test)(terms.name(path), terms))
        .join(' AND ');

/** Condition that all of these hold; undefined where there are none. */
export function allOf(...conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0
    ? undefined
    : (terms) => given.map((condition) => conditionOf(condition, terms)).join(' AND ');
}

/** Change of an attribute other than to a value: a clause of the update, and its text there. */
type Change = (name: string, terms: Placeholders) => readonly ['SET' | 'REMOVE' | 'ADD' | 'DELETE', string];

/** A number that is added to the attribute's, which is 0 if it is not there, or members that a set gets. */
export const added =
  (increment: number | ReadonlySet<string>): Change =>
  (name, { value }) => ['ADD', `${name} ${value(increment)}`];
/** Members that a set loses; without any, the attribute goes. */
export const removed =
  (members: ReadonlySet<string>): Change =>
  (name, { value }) => ['DELETE', `${name} ${value(members)}`];
export const appended =
  (elements: readonly unknown[]): Change =>
  (name, { value }) => ['SET', `${name} = list_append(${name}, ${value(elements)})`];
/** The value, where there is none. */
export const unlessSet =
  (first: unknown): Change =>
  (name, { value }) => ['SET', `${name} = if_not_exists(${name}, ${value(first)})`];

const isChange = (value: unknown): value is Change => typeof value === 'function';

const changeOf = (given: unknown): Change => {
  if (isChange(given)) return given;
  return given === undefined
    ? (name) => ['REMOVE', name]
    : (name, { value }) => ['SET', `${name} = ${value(given)}`];
};

/** The new values of attributes: undefined removes one, `added` and the like change what is there. */
export type Changes = Readonly<Record<string, unknown>>;

const clausesOf = (changes: Changes, terms: Placeholders) =>
  Object.entries(changes).map(([path, given]) => changeOf(given)(terms.name(path), terms));

function updateOf(changes: Changes, terms: Placeholders): string {
  const clauses = Map.groupBy(clausesOf(changes, terms), ([clause]) => clause);
  return Array.from(
    clauses,
    ([clause, parts]) => `${clause} ${parts.map(([, text]) => text).join(', ')}`,
  ).join(' ');
}

/** The expressions of a write. */
export function writeExpressions(condition: Condition | undefined, changes: Changes = {}) {
  const terms = new Terms();
  const UpdateExpression = updateOf(changes, terms);
  return {
    ...(UpdateExpression === '' ? {} : { UpdateExpression }),
    ...(condition === undefined ? {} : { ConditionExpression: conditionOf(condition, terms) }),
    ...terms.placeholders(),
  };
}

/** The statement of PartiQL that sets and removes what an update does; it has no word for `added` and `removed`. */
export function statementOf(
  table: string,
  key: Readonly<Record<string, string>>,
  changes: Changes,
  condition: Condition,
): BatchStatementRequest {
  const values: unknown[] = [];
  const terms = {
    name: (path: string) => `"${path}"`,
    value: (value: unknown) => {
      values.push(value);
      return '?';
    },
  };
  const statements = clausesOf(changes, terms).map(([clause, text]) => `${clause} ${text}`);
  const conditions = [key, condition].map((member) => conditionOf(member, terms));
  const Statement = `UPDATE "${table}" ${statements.join(' ')} WHERE ${conditions.join(' AND ')}`;
  return { Statement, Parameters: values.flatMap((value) => Object.values(toItem({ value }))) };
}
