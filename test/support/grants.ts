import type { Grant, Statement } from '../../infra/local/aws/policy-evaluation.ts';

/** The statements without an action; a statement without any other action is dropped. */
export const withoutAction = (statements: readonly Statement[], taken: string): Statement[] =>
  statements
    .map((statement) => ({ ...statement, actions: statement.actions.filter((action) => action !== taken) }))
    .filter(({ actions }) => actions.length > 0);

/** Actions that Lambda itself uses on a function's behalf; they never reach the local endpoint. */
const usedByLambdaItself = (action: string): boolean => /^(logs|xray):/.test(action);

/** Records which grants functions use, and finds those of their roles that none has used. */
export function createGrantLedger() {
  const used = new Set<string>();
  const key = (functionName: string, { action, resource }: Grant): string =>
    `${functionName} ${action} ${resource}`;
  return {
    use: (functionName: string, grant: Grant): unknown => used.add(key(functionName, grant)),
    unused: (statementsByFunction: ReadonlyMap<string, readonly Statement[]>) =>
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
