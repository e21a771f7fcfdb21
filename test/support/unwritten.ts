import { setImmediate } from 'node:timers/promises';
import type {
  AttributeValue,
  BatchGetItemCommandInput,
  DynamoDBClient,
  GetItemCommandInput,
  QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { inShort } from './extent.ts';

// Most reads of a test find nothing: a query of each of many shards, a look for a record that is about to be made. DynamoDB Local
// takes a millisecond or two of processor time for each, so a read of a key in which nobody ever wrote is answered here.

type Attributes = Readonly<Record<string, AttributeValue>>;

/** Texts of this length are left to the engine, which refuses keys that are too long. */
const longest = 256;

/** The texts that the file's clients have written, in any table: a key of an item is one of them. */
const written = new Set<string>();

/** The reads that the engine has answered, but for their values, of any table of a design: it refuses those with a mistake. */
const answered = new Set<string>();

function noteTexts(input: unknown): void {
  if (typeof input !== 'object' || input === null || ArrayBuffer.isView(input)) return;
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string') noteTexts(value);
    else if (name === 'S' && value.length < longest) written.add(value);
  }
}

const isUnwritten = ({ S }: AttributeValue): boolean =>
  // The engine refuses an empty key.
  S !== undefined && S !== '' && S.length < longest && !written.has(S);

/** A read without its values, and without what distinguishes its table from others of the design. */
const formOf = (
  values: Attributes,
  { TableName = '', ...others }: { readonly TableName?: string | undefined },
) => JSON.stringify([TableName.replace(/[0-9a-f]{8}-[\da-f-]{27}$/, ''), Object.keys(values), others]);

/** The forms of a call's reads, what is left of it for the engine, and what it is answered if nothing is. */
interface Reads<Input extends object> {
  readonly forms: readonly string[];
  readonly left: Input | undefined;
  readonly empty: object;
}

/** A read of one key or partition. */
const readOf = <Input extends object>(
  input: Input,
  form: string,
  isEmpty: boolean,
  empty = {},
): Reads<Input> => ({
  forms: [form],
  left: isEmpty && answered.has(form) ? undefined : input,
  empty,
});

function readsOfQuery<Input extends object>(input: Input): Reads<Input> | undefined {
  const { ExpressionAttributeValues = {}, ExclusiveStartKey, ...others } = input as QueryCommandInput;
  // The first term is the partition.
  const [, placeholder = ''] = /^\S+ = (:\w+)/.exec(others.KeyConditionExpression ?? '') ?? [];
  const partition = ExpressionAttributeValues[placeholder];
  if (partition === undefined || ExclusiveStartKey !== undefined) return undefined;
  const form = formOf(ExpressionAttributeValues, others);
  return readOf(input, form, isUnwritten(partition), { Items: [], Count: 0, ScannedCount: 0 });
}

/** Of many keys, those remain in which somebody wrote; and all of a call that asks for one twice, which the engine refuses. */
function readsOfKeys<Input extends object>(input: Input): Reads<Input> {
  const { RequestItems = {} } = input as BatchGetItemCommandInput;
  const tables = Object.entries(RequestItems).map(([TableName, { Keys = [], ...others }]) => {
    const form = formOf(Keys[0] ?? {}, { TableName, ...others });
    const isRepeated = new Set(Keys.map((key) => JSON.stringify(key))).size < Keys.length;
    const mayBeLess = !isRepeated && Keys.length <= batchGetKeys && answered.has(form);
    const left = mayBeLess ? Keys.filter((key) => !Object.values(key).some(isUnwritten)) : Keys;
    return { TableName, form, left, others };
  });
  const asked = tables.filter(({ left }) => left.length > 0);
  return {
    forms: tables.map(({ form }) => form),
    left:
      asked.length === 0
        ? undefined
        : {
            ...input,
            RequestItems: Object.fromEntries(
              asked.map(({ TableName, left: Keys, others }) => [TableName, { ...others, Keys }]),
            ),
          },
    empty: { Responses: {}, UnprocessedKeys: {} },
  };
}

function readsOf<Input extends object>(command: string, input: Input): Reads<Input> | undefined {
  if ('ReturnConsumedCapacity' in input) return undefined;
  if (command === 'GetItemCommand') {
    const { Key = {}, ...others } = input as GetItemCommandInput;
    return readOf(input, formOf(Key, others), Object.values(Key).some(isUnwritten));
  }
  if (command === 'QueryCommand') return readsOfQuery(input);
  return command === 'BatchGetItemCommand' ? readsOfKeys(input) : undefined;
}

/** Has a client answer reads of keys in which no client of the file has written, once the engine has answered one alike. */
export function answerUnwritten(client: DynamoDBClient): void {
  // In the long run, nothing but the engine answers.
  if (inShort(false, true)) return;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const reads = readsOf(commandName, args.input);
        if (reads === undefined) {
          if (!/^(Get|BatchGet|Query|Scan)/.test(commandName)) noteTexts(args.input);
          return next(args);
        }
        const { forms, left, empty } = reads;
        if (left === undefined) {
          // The calls that are made beside it are under way by then, as if it had been made.
          await setImmediate();
          return { response: undefined, output: { ...empty, $metadata: {} } };
        }
        const result = await next({ ...args, input: left });
        for (const form of forms) answered.add(form);
        return result;
      },
    // Within what tests add to see calls, or to have them fail.
    { step: 'serialize', priority: 'high', name: 'unwritten' },
  );
}
