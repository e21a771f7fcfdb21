/**
 * Replaces Powertools' JMESPath in the bundles (`infra/build/bundling.mjs`): each expression of
 * `shared/platform/request/idempotency.ts` is the name of one member. The query language costs 24 KB, which would put several
 * functions over their budget (`test/infra/bundles.test.ts`).
 */
export function search(expression: string, data: Readonly<Record<string, unknown>>): unknown {
  if (!/^\w+$/.test(expression)) throw new Error(`${expression} is not the name of a member.`);
  return data[expression];
}

/** Functions that expressions can call. Names of members call none. */
export class PowertoolsFunctions {}
