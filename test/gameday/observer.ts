import { finished } from 'node:stream';
import type { AwsMiddleware } from '../../infra/local/aws/endpoint.ts';
import type { LocalFunction } from '../../infra/local/functions/local-function.ts';
import type { ResponseContext } from '../../infra/local/gateway/responses.ts';

/** An invocation of a function that ended. */
export interface Invocation {
  /** Name of the function's folder. */
  readonly functionName: string;
  readonly payload: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly ms: number;
}

/** What happened in the local run since it was asked to forget what was before. */
export interface Observed {
  readonly invocations: readonly Invocation[];
  /** The `$context` of each request that the gateway answered. */
  readonly requests: readonly ResponseContext[];
  /** Names of tables, one for each request of a function that was throttled. */
  readonly throttled: readonly string[];
  /** Names of queues, one for each message, or batch of messages, that was sent to one. */
  readonly sent: readonly string[];
  /** Unix milliseconds. */
  readonly since: number;
}

/** Observes a local run through its hooks, for the metrics that AWS would have. */
export function createObserver() {
  let invocations: Invocation[] = [];
  let requests: ResponseContext[] = [];
  let throttled: string[] = [];
  let sent: string[] = [];
  let since = Date.now();
  let underWay = 0;

  const begin = (functionName: string, payload: unknown) => {
    const startedAt = performance.now();
    underWay += 1;
    return (ended: Pick<Invocation, 'result' | 'error'>): void => {
      underWay -= 1;
      invocations.push({ functionName, payload, ms: performance.now() - startedAt, ...ended });
    };
  };

  const observe = (functionName: string, target: LocalFunction): LocalFunction => ({
    ...target,
    async invoke(payload, causes) {
      const end = begin(functionName, payload);
      try {
        const result = await target.invoke(payload, causes);
        end({ result });
        return result;
      } catch (error) {
        end({ error });
        throw error;
      }
    },
    stream(payload) {
      const end = begin(functionName, payload);
      const stream = target.stream(payload);
      finished(stream, (error) => end({ error }));
      return stream;
    },
  });

  const middleware: AwsMiddleware = async ({ accesses }, next) => {
    await next();
    for (const { action, resource } of accesses) {
      if (action === 'sqs:SendMessage') sent.push(resource.split(':').at(-1) ?? '');
    }
  };

  return {
    observe,
    middleware,
    onRequest: (context: ResponseContext): unknown => requests.push(context),
    onThrottled: (tableName: string): unknown => throttled.push(tableName),
    observed: (): Observed => ({ invocations, requests, throttled, sent, since }),
    /** Whether no function runs. */
    isIdle: (): boolean => underWay === 0,
    forget(): void {
      invocations = [];
      requests = [];
      throttled = [];
      sent = [];
      since = Date.now();
    },
  };
}

export type Observer = ReturnType<typeof createObserver>;
