import * as z from 'zod/mini';

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
export const partialAnswers: Readonly<Record<string, (body: unknown, ask: Ask) => Promise<object>>> = {
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
