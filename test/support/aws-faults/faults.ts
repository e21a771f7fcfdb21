import type { ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import type { AwsCall, AwsMiddleware } from '../../../infra/local/aws/endpoint.ts';
import { type Access, AwsError, answerJson, callAws, targetOf } from '../../../infra/local/aws/service.ts';

/** Repeats a call with fewer entries and returns the service's response. */
type Ask = (body: object) => Promise<Readonly<Record<string, unknown>>>;

/** Every other entry, starting with the second, takes effect; the others fail. */
const half = <Entry>(entries: readonly Entry[], isDone: boolean): Entry[] =>
  entries.filter((_, index) => (index % 2 === 1) === isDone);

const keys = z.looseObject({ Keys: z.array(z.unknown()) });
const ofTables = z.looseObject({ RequestItems: z.record(z.string(), z.union([z.array(z.unknown()), keys])) });
const ofList = z.looseObject({
  Entries: z.optional(z.array(z.unknown())),
  Statements: z.optional(z.array(z.unknown())),
});

/** A batch of items of tables: what is left over is returned as unprocessed. */
const tableBatch = (leftOver: 'UnprocessedKeys' | 'UnprocessedItems') => async (body: unknown, ask: Ask) => {
  const { RequestItems, ...rest } = z.parse(ofTables, body);
  const share = (isDone: boolean) =>
    Object.fromEntries(
      Object.entries(RequestItems)
        .map(([table, given]) =>
          Array.isArray(given)
            ? ([table, half(given, isDone), half(given, isDone).length] as const)
            : ([
                table,
                { ...given, Keys: half(given.Keys, isDone) },
                half(given.Keys, isDone).length,
              ] as const),
        )
        .flatMap(([table, entries, count]) => (count === 0 ? [] : [[table, entries]])),
    );
  const done = share(true);
  const answer =
    Object.keys(done).length === 0 ? { Responses: {} } : await ask({ ...rest, RequestItems: done });
  return { ...answer, [leftOver]: { ...Object(Object(answer)[leftOver]), ...share(false) } };
};

/** A batch that reports each result at its index. @param refused the result of an entry that failed. */
const listBatch =
  (list: 'Entries' | 'Statements', results: 'Entries' | 'Responses', refused: object) =>
  async (body: unknown, ask: Ask) => {
    const { [list]: entries = [], ...rest } = z.parse(ofList, body);
    const done = half(entries, true);
    const answer = done.length === 0 ? {} : await ask({ ...rest, [list]: done });
    const answers = (answer[results] ?? []) as readonly unknown[];
    return {
      FailedEntryCount: Number(answer['FailedEntryCount'] ?? 0) + entries.length - done.length,
      [results]: entries.map((_, index) => (index % 2 === 1 ? answers[(index - 1) / 2] : refused)),
    };
  };

async function messageBatch(body: unknown, ask: Ask): Promise<object> {
  const { Entries = [], ...rest } = z.parse(ofList, body);
  const done = half(Entries, true);
  const answer = done.length === 0 ? { Successful: [] } : await ask({ ...rest, Entries: done });
  const reason = { SenderFault: false, Code: 'InternalError', Message: 'Please try again.' };
  const refused = half(Entries, false).map((entry) => ({ Id: Object(entry).Id, ...reason }));
  return { ...answer, Failed: [...((Object(answer).Failed ?? []) as unknown[]), ...refused] };
}

/** Batch calls and how they fail in part; the services respond to them with success. */
const partialAnswers: Readonly<Record<string, (body: unknown, ask: Ask) => Promise<object>>> = {
  'dynamodb:BatchGetItem': tableBatch('UnprocessedKeys'),
  'dynamodb:BatchWriteItem': tableBatch('UnprocessedItems'),
  'dynamodb:BatchExecuteStatement': listBatch('Statements', 'Responses', {
    Error: { Code: 'ThrottlingError', Message: 'Rate exceeded.' },
  }),
  'sqs:SendMessageBatch': messageBatch,
  'events:PutEvents': listBatch('Entries', 'Entries', {
    ErrorCode: 'ThrottlingException',
    ErrorMessage: 'Rate exceeded',
  }),
};

/**
 * A fault of an AWS call:
 * - `throttle`: it is rejected before it takes effect, with an error of the service;
 * - `conflict`: a write to DynamoDB is rejected because of a concurrent one;
 * - `fail before`: the connection breaks before it takes effect;
 * - `partial`: a batch call takes effect for some of its entries;
 * - `fail after`: it takes effect, and the response is lost;
 * - `duplicate`: it takes effect twice: what delivers at least once, a queue or the bus, delivers twice;
 * - `crash`: it takes effect, and the function's instance ends before the response arrives.
 */
export type Fault =
  | 'none'
  | 'throttle'
  | 'conflict'
  | 'fail before'
  | 'partial'
  | 'fail after'
  | 'duplicate'
  | 'crash';

/** A call by a function's own code. */
interface FaultableCall {
  /** Name of the function's folder. */
  readonly functionName: string;
  /** `dynamodb:TransactWriteItems`. */
  readonly action: string;
  /** ARNs of the tables, indexes, or queues that it is about. */
  readonly resources: readonly string[];
  /** Which call of this action by this function it is, from 1. */
  readonly count: number;
}

/** Chooses the fault of a call, so that a test can reproduce it at the same place. */
export type Faults = (call: FaultableCall) => Fault;

/** What faults need of a local run. */
interface Faulted {
  /** Access with which calls are repeated. */
  readonly operator: Access;
  /** Ends the instance in which a function runs. */
  crash(functionName: string): Promise<void>;
}

type Words = readonly [code: string, status: number];

/** Error codes and statuses with which a service throttles; they alternate. */
const throttling: Readonly<Record<string, readonly [Words, ...Words[]]>> = {
  dynamodb: [
    ['ProvisionedThroughputExceededException', 400],
    ['ThrottlingException', 400],
    ['RequestLimitExceeded', 400],
    ['InternalServerError', 500],
  ],
  lambda: [['TooManyRequestsException', 429]],
  s3: [['SlowDown', 503]],
  sqs: [
    ['RequestThrottled', 403],
    ['KmsThrottled', 400],
  ],
};

const inTransaction = 'dynamodb:TransactWriteItems';

/** The cancellation of a transaction because of one of its items. */
function canceled(code: string, items: number, count: number): AwsError {
  const CancellationReasons = Array.from({ length: items }, (_, index) =>
    index === count % items ? { Code: code, Message: 'Rate exceeded.' } : { Code: 'None' },
  );
  const reasons = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons}]`,
    400,
    { CancellationReasons },
  );
}

/** The error of a rejected call. Every other transaction has it in its cancellation reasons, as DynamoDB mostly does. */
function refusalOf(
  fault: 'throttle' | 'conflict',
  call: { readonly service: string; readonly action: string; readonly items: number; readonly count: number },
): AwsError {
  const { service, action, items, count } = call;
  if (action === inTransaction) {
    if (fault === 'conflict') return canceled('TransactionConflict', items, count);
    const code = count % 4 === 0 ? 'ProvisionedThroughputExceeded' : 'ThrottlingError';
    if (count % 2 === 0) return canceled(code, items, count);
  }
  if (fault === 'conflict') {
    return new AwsError('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  const words: readonly [Words, ...Words[]] = throttling[service] ?? [['ThrottlingException', 400]];
  const [code, status] = words[count % words.length] ?? words[0];
  return new AwsError(code, 'Rate exceeded.', status);
}

/** Lets the call take effect and breaks the connection instead of sending the response. */
function loseAnswer(response: ServerResponse, before: () => Promise<void>): void {
  response.writeHead = () => {
    void before().finally(() => response.destroy());
    return response;
  };
  response.write = () => true;
  response.end = () => response;
}

/** The IAM action of a call, but a transaction's own name, which IAM does not know. */
function actionOf({ request, service, accesses }: AwsCall): string {
  const { operation } = targetOf(request);
  return operation === '' ? (accesses[0]?.action ?? '') : `${service}:${operation}`;
}

const anyAnswer = z.record(z.string(), z.unknown());

/** Does a batch call in part; undefined when it is no batch call. */
function inPart(action: string, { request, service }: AwsCall, operator: Access) {
  const target = String(request.headers['x-amz-target']);
  const body: unknown = JSON.parse(request.body.toString('utf8'));
  return partialAnswers[action]?.(body, (less) => callAws(operator, { service, target }, less, anyAnswer));
}

/** Does a call once more than its caller. */
async function repeat({ request, service }: AwsCall, operator: Access): Promise<void> {
  const target = String(request.headers['x-amz-target']);
  const body: unknown = JSON.parse(request.body.toString('utf8'));
  await callAws(operator, { service, target }, Object(body), anyAnswer);
}

/** Counts the calls of functions' code, and lets a test choose their faults. */
export function injectedFaults(decide: Faults, { operator, crash }: Faulted): AwsMiddleware {
  const counts = new Map<string, number>();
  return async (call, next) => {
    const { caller, service, accesses, response } = call;
    if (caller.isCode !== true) return next();
    const action = actionOf(call);
    const key = `${caller.name} ${action}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const refusal = { service, action, items: accesses.length, count };
    const resources = accesses.map(({ resource }) => resource);
    const fault = decide({ functionName: caller.name, action, resources, count });
    switch (fault) {
      case 'throttle':
      case 'conflict':
        throw refusalOf(fault, refusal);
      case 'fail before':
        response.destroy();
        return;
      case 'partial': {
        const partial = inPart(action, call, operator);
        if (partial === undefined) throw refusalOf('throttle', refusal);
        answerJson(response, await partial);
        return;
      }
      case 'duplicate':
        await repeat(call, operator);
        return next();
      case 'fail after':
        loseAnswer(response, () => Promise.resolve());
        return next();
      case 'crash':
        loseAnswer(response, () => crash(caller.name));
        return next();
      case 'none':
        return next();
    }
  };
}
