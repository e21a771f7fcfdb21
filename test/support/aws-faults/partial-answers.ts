import * as z from 'zod/mini';

/** Repeats a call with fewer entries and returns the service's response. */
type Ask = (body: object) => Promise<Readonly<Record<string, unknown>>>;

const anything = z.unknown();

const batchGet = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(anything) })),
});
const found = z.looseObject({ UnprocessedKeys: z.optional(z.record(z.string(), anything)) });

/** DynamoDB reads every other key, starting with the second, and returns the rest as unprocessed. */
async function keysLeftOver(body: unknown, ask: Ask): Promise<object> {
  const { RequestItems, ...rest } = z.parse(batchGet, body);
  const share = (isRead: boolean) =>
    Object.fromEntries(
      Object.entries(RequestItems).flatMap(([table, { Keys, ...read }]) => {
        const some = Keys.filter((_, index) => (index % 2 === 1) === isRead);
        return some.length === 0 ? [] : [[table, { ...read, Keys: some }]];
      }),
    );
  const read = share(true);
  const answer =
    Object.keys(read).length === 0 ? { Responses: {} } : await ask({ ...rest, RequestItems: read });
  const { UnprocessedKeys = {}, ...others } = z.parse(found, answer);
  return { ...others, UnprocessedKeys: { ...UnprocessedKeys, ...share(false) } };
}

const batchWrite = z.looseObject({ RequestItems: z.record(z.string(), z.array(anything)) });

/** DynamoDB writes every other item, starting with the second, and returns the rest as unprocessed. */
async function itemsLeftOver(body: unknown, ask: Ask): Promise<object> {
  const { RequestItems, ...rest } = z.parse(batchWrite, body);
  const share = (isWritten: boolean) =>
    Object.fromEntries(
      Object.entries(RequestItems)
        .map(
          ([table, items]) => [table, items.filter((_, index) => (index % 2 === 1) === isWritten)] as const,
        )
        .filter(([, items]) => items.length > 0),
    );
  const written = share(true);
  if (Object.keys(written).length > 0) await ask({ ...rest, RequestItems: written });
  return { UnprocessedItems: share(false) };
}

const statements = z.looseObject({ Statements: z.array(anything) });
const responses = z.looseObject({ Responses: z.array(anything) });

/** DynamoDB executes every other statement, starting with the second, and reports each result at its index. */
async function statementsRefused(body: unknown, ask: Ask): Promise<object> {
  const { Statements, ...rest } = z.parse(statements, body);
  const executed = Statements.filter((_, index) => index % 2 === 1);
  const answer = executed.length === 0 ? { Responses: [] } : await ask({ ...rest, Statements: executed });
  const { Responses } = z.parse(responses, answer);
  const refused = { Error: { Code: 'ThrottlingError', Message: 'Rate exceeded.' } };
  return {
    Responses: Statements.map((_, index) => (index % 2 === 1 ? Responses[(index - 1) / 2] : refused)),
  };
}

const sendBatch = z.looseObject({ Entries: z.array(z.looseObject({ Id: z.string() })) });
const sent = z.looseObject({ Failed: z.optional(z.array(anything)) });

/** SQS accepts every other message, starting with the second. */
async function messagesRefused(body: unknown, ask: Ask): Promise<object> {
  const { Entries, ...rest } = z.parse(sendBatch, body);
  const taken = Entries.filter((_, index) => index % 2 === 1);
  const answer = taken.length === 0 ? { Successful: [] } : await ask({ ...rest, Entries: taken });
  const { Failed = [], ...others } = z.parse(sent, answer);
  const refused = Entries.filter((_, index) => index % 2 === 0).map(({ Id }) => ({
    Id,
    SenderFault: false,
    Code: 'InternalError',
    Message: 'We encountered an internal error. Please try again.',
  }));
  return { ...others, Failed: [...Failed, ...refused] };
}

const putEvents = z.looseObject({ Entries: z.array(anything) });
const put = z.looseObject({ FailedEntryCount: z.int(), Entries: z.array(anything) });

/** EventBridge accepts every other event, starting with the second, and reports each result at its index. */
async function eventsRefused(body: unknown, ask: Ask): Promise<object> {
  const { Entries } = z.parse(putEvents, body);
  const taken = Entries.filter((_, index) => index % 2 === 1);
  const answer = taken.length === 0 ? { FailedEntryCount: 0, Entries: [] } : await ask({ Entries: taken });
  const { FailedEntryCount, Entries: results } = z.parse(put, answer);
  const refused = { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
  return {
    FailedEntryCount: FailedEntryCount + Entries.length - taken.length,
    Entries: Entries.map((_, index) => (index % 2 === 1 ? results[(index - 1) / 2] : refused)),
  };
}

/** Batch calls and how they fail in part; the services respond to them with success. */
export const partialAnswers: Readonly<Record<string, (body: unknown, ask: Ask) => Promise<object>>> = {
  'dynamodb:BatchGetItem': keysLeftOver,
  'dynamodb:BatchWriteItem': itemsLeftOver,
  'dynamodb:BatchExecuteStatement': statementsRefused,
  'sqs:SendMessageBatch': messagesRefused,
  'events:PutEvents': eventsRefused,
};
