/**
 * Stands in for Powertools' JMESPath in the bundles (`infra/build/bundling.mjs`): the expressions of
 * `shared/request/idempotency.ts` each name one member. A whole query language for that costs 24 KB, with which writers
 * and functions that hold files are over their budget (`test/infra/bundles.test.ts`).
 */
export function search(expression: string, data: Readonly<Record<string, unknown>>): unknown {
  if (!/^\w+$/.test(expression)) throw new Error(`${expression} is more than the name of a member.`);
  return data[expression];
}

/** Functions that expressions may call; the name of a member calls none. */
export class PowertoolsFunctions {}
