import type { Grant, Statement } from './policy-evaluation.ts';
import { usedByLambdaItself } from './roles.ts';

/** A permission of a function's role that no call has used yet. */
export interface UnusedGrant extends Grant {
  readonly functionName: string;
}

/** Records which grants are used, so that a test can find those that never are. */
export function createGrantLedger(statementsByFunction: ReadonlyMap<string, readonly Statement[]>) {
  const used = new Set<string>();
  const key = (functionName: string, { action, resource }: Grant): string =>
    `${functionName} ${action} ${resource}`;
  return {
    use: (functionName: string, grant: Grant): unknown => used.add(key(functionName, grant)),
    unused: (): UnusedGrant[] =>
      Array.from(statementsByFunction).flatMap(([functionName, statements]) =>
        statements
          .filter(({ effect }) => effect === 'Allow')
          .flatMap(({ actions, resources }) =>
            actions.flatMap((action) => resources.map((resource) => ({ action, resource }))),
          )
          .filter((grant) => !usedByLambdaItself(grant.action) && !used.has(key(functionName, grant)))
          .map((grant) => ({ functionName, ...grant })),
      ),
  };
}
