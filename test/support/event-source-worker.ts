import type { Statement } from '../../infra/local/aws/policy-evaluation.ts';
import type { LocalFunction } from '../../infra/local/functions/local-function.ts';

/** Statements that allow actions on a resource, one for each. */
export const allowing = (resource: string, ...actions: string[]): Statement[] =>
  actions.map((action) => ({ effect: 'Allow', actions: [action], resources: [resource], conditions: [] }));

/** A function that does nothing. */
export const worker: LocalFunction = {
  settings: {
    module: '',
    handler: '',
    functionName: 'worker',
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:worker',
    memoryLimitInMB: 1_024,
    timeoutMs: 60_000,
    environment: {},
  },
  warm: async () => undefined,
  invoke: async () => undefined,
  stream: () => {
    throw new Error('A worker does not stream.');
  },
  crash: async () => undefined,
  stop: async () => undefined,
};
