// Writes that are planned and not made: a table's reads show them, for dry runs.
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGet, toItem } from './dynamo.ts';
import { isDeepStrictEqual, valueAt, withValue } from './json.ts';
import { keysOf } from './query-pages.ts';
import type { TableDesign } from './table-design.ts';

// What DynamoDB makes of the expressions of `expressions.ts`, for writes that are planned and not sent.

/** An expression's names and values, unmarshalled. */
interface Meanings {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

type Item = Readonly<Record<string, unknown>>;

const token = /\s*(#\d+(?:\.#\d+|\[\d+\])*|:\d+|<=|>=|<>|[=<>(),]|[A-Za-z_]+)/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(expression); match !== null; match = token.exec(expression)) {
    tokens.push(match[1] ?? '');
    if (token.lastIndex === expression.length) return tokens;
  }
  throw new Error(`The expression ${expression} cannot be evaluated.`);
}

const sizeOf = (value: unknown): unknown => {
  if (value instanceof Set) return value.size;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
};

function isLess(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return (
    typeof one === 'string' &&
    typeof other === 'string' &&
    Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
  );
}

const comparisons: Readonly<Record<string, (one: unknown, other: unknown) => boolean>> = {
  '=': isDeepStrictEqual,
  '<>': (one, other) => !isDeepStrictEqual(one, other),
  '<': isLess,
  '<=': (one, other) => isLess(one, other) || isDeepStrictEqual(one, other),
  '>': (one, other) => isLess(other, one),
  '>=': (one, other) => isLess(other, one) || isDeepStrictEqual(one, other),
};

class Reader {
  readonly #tokens: string[];
  readonly #meanings: Meanings;
  readonly #item: Item;

  constructor(expression: string, meanings: Meanings, item: Item) {
    this.#tokens = tokensOf(expression);
    this.#meanings = meanings;
    this.#item = item;
  }

  get isDone(): boolean {
    return this.#tokens.length === 0;
  }

  next(): string {
    return this.#tokens.shift() ?? '';
  }

  /** Takes the token where it is next. */
  takes(expected: string): boolean {
    if (this.#tokens[0] !== expected) return false;
    this.#tokens.shift();
    return true;
  }

  /** The steps from the item to a value within it. */
  path(): string[] {
    const steps = this.next().matchAll(/(#\d+)|\[(\d+)\]/g);
    return Array.from(steps, ([, name, index = '']) =>
      name === undefined ? index : (this.#meanings.names[name] ?? ''),
    );
  }

  /** The arguments of a function. */
  #arguments(): unknown[] {
    this.takes('(');
    const values = [this.operand()];
    while (this.takes(',')) values.push(this.operand());
    this.takes(')');
    return values;
  }

  /** Every operand is read, whatever it is needed for. */
  operand(): unknown {
    const [first = ''] = this.#tokens;
    if (first.startsWith(':')) return this.#meanings.values[this.next()];
    if (first.startsWith('#')) return valueAt(this.#item, this.path());
    const name = this.next();
    const [one, other] = this.#arguments();
    if (name === 'size') return sizeOf(one);
    if (name === 'if_not_exists') return one ?? other;
    if (name === 'list_append' && Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
    throw new Error(`The operand ${name} cannot be evaluated.`);
  }

  condition(): boolean {
    let holds = this.#all();
    while (this.takes('OR')) holds = this.#all() || holds;
    return holds;
  }

  #all(): boolean {
    let holds = this.#one();
    while (this.takes('AND')) holds = this.#one() && holds;
    return holds;
  }

  #one(): boolean {
    if (this.takes('NOT')) return !this.#one();
    if (this.takes('(')) {
      const holds = this.condition();
      this.takes(')');
      return holds;
    }
    const [first = ''] = this.#tokens;
    if (/^[a-z]/.test(first) && first !== 'size') return this.#function();
    const operand = this.operand();
    const operator = this.next();
    if (operator === 'IN') return this.#arguments().some((one) => isDeepStrictEqual(one, operand));
    const bound = this.operand();
    if (operator !== 'BETWEEN') return comparisons[operator]?.(operand, bound) === true;
    this.takes('AND');
    const end = this.operand();
    return !isLess(operand, bound) && !isLess(end, operand) && operand !== undefined;
  }

  #function(): boolean {
    const name = this.next();
    const [value, other] = this.#arguments();
    if (name === 'attribute_exists') return value !== undefined;
    if (name === 'attribute_not_exists') return value === undefined;
    if (name === 'begins_with') return typeof value === 'string' && value.startsWith(String(other));
    if (name !== 'contains') throw new Error(`The function ${name} cannot be evaluated.`);
    if (value instanceof Set) return value.has(other);
    return typeof value === 'string' || Array.isArray(value) ? value.includes(String(other)) : false;
  }
}

/** Whether a condition holds of an item, or of none. */
const holds = (condition: string | undefined, meanings: Meanings, item: Item = {}): boolean =>
  condition === undefined || new Reader(condition, meanings, item).condition();

function added(value: unknown, more: unknown): unknown {
  if (more instanceof Set) return new Set([...(value instanceof Set ? value : []), ...more]);
  return Number(value ?? 0) + Number(more);
}

function without(value: unknown, members: unknown): unknown {
  const left = new Set(
    [...(value instanceof Set ? value : [])].filter((one) => !(members instanceof Set && members.has(one))),
  );
  return left.size === 0 ? undefined : left;
}

const clauses = ['SET', 'REMOVE', 'ADD', 'DELETE'];

/** An item as an update leaves it. */
function updated(expression: string, meanings: Meanings, item: Item): Item {
  const reader = new Reader(expression, meanings, item);
  let result: unknown = item;
  for (let clause = ''; !reader.isDone; reader.takes(',')) {
    clause = clauses.find((one) => reader.takes(one)) ?? clause;
    const path = reader.path();
    const value = valueAt(item, path);
    if (clause === 'REMOVE') result = withValue(result, path, undefined);
    else if (clause === 'ADD') result = withValue(result, path, added(value, reader.operand()));
    else if (clause === 'DELETE') result = withValue(result, path, without(value, reader.operand()));
    else {
      reader.takes('=');
      result = withValue(result, path, reader.operand());
    }
  }
  return Object.fromEntries(Object.entries(Object(result)));
}

// To know what code would write, it runs as it is, with a client that sends none of its writes.

type Stored = Record<string, AttributeValue>;

/** What a write says of one item. */
interface Write {
  readonly TableName?: string | undefined;
  readonly Key?: Stored | undefined;
  readonly Item?: Stored | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Stored | undefined;
}

type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** An item as it is planned; undefined where it would be deleted. */
interface Planned {
  readonly table: string;
  readonly key: Stored;
  readonly item: Stored | undefined;
}

/** An item that writes would leave otherwise than it is; undefined where there is none. */
export interface PlannedChange {
  /** The name of its table. */
  readonly table: string;
  readonly before: Readonly<Record<string, unknown>> | undefined;
  readonly after: Readonly<Record<string, unknown>> | undefined;
}

const meaningsOf = ({
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Write): Meanings => ({ names, values: unmarshall(values) });

const keyOf = ({ pk, sk }: Stored): Stored => ({
  ...(pk === undefined ? {} : { pk }),
  ...(sk === undefined ? {} : { sk }),
});

const keyOfWrite = ({ Key, Item = {} }: Write): Stored => Key ?? keyOf(Item);

const partitionOf = (table: string, pk: unknown): string => JSON.stringify([table, pk]);

const placeOf = (table: string, { pk, sk }: Stored): string => JSON.stringify([table, pk?.S, sk?.S ?? '']);

const textsOf = (key: Stored): Record<string, string> =>
  Object.fromEntries(Object.entries(key).map(([name, { S = '' }]) => [name, S]));

/** Which items are on a page of a query, and in which order. */
function pageOf(design: TableDesign, input: QueryCommandInput, last: Stored | undefined) {
  const { IndexName, ExclusiveStartKey: start, ScanIndexForward: isForward = true } = input;
  const { partitionKey, sortKey } = keysOf(design, IndexName);
  const meanings = meaningsOf(input);
  const { ':0': partition } = meanings.values;
  const sortOf = (item: Stored): unknown => {
    const { S, N } = item[sortKey?.name ?? ''] ?? {};
    return S ?? Number(N);
  };
  const order = (one: Stored, other: Stored): number => {
    const [first, then] = isForward ? [sortOf(one), sortOf(other)] : [sortOf(other), sortOf(one)];
    return Number(isLess(then, first)) - Number(isLess(first, then));
  };
  return {
    /** A query names its partition first. */
    partition,
    order,
    /** In what order an index has items of one sort key is not defined: those of its last item's are on this page. */
    has(item: Stored): boolean {
      if (item[partitionKey.name]?.S !== partition) return false;
      const read = unmarshall(item);
      return (
        holds(input.KeyConditionExpression, meanings, read) &&
        holds(input.FilterExpression, meanings, read) &&
        (start === undefined || order(item, start) > 0) &&
        (last === undefined || order(item, last) <= 0)
      );
    },
  };
}

/** Writes that are planned: what is read by `client` has them, and their conditions are decided upon them. */
export class PlannedWrites {
  /** Takes the place of the client that it reads with. */
  readonly client: DynamoDBClient;
  readonly #client: DynamoDBClient;
  readonly #designs: ReadonlyMap<string, TableDesign>;
  readonly #planned = new Map<string, Planned>();
  /** The same, by table and partition. */
  readonly #partitions = new Map<string, Map<string, Planned>>();
  /** What is stored under places that were read. */
  readonly #stored = new Map<string, Stored | undefined>();

  /** @param designs of all tables that are queried, by name. */
  constructor(client: DynamoDBClient, designs: ReadonlyMap<string, TableDesign>) {
    this.#client = client;
    this.#designs = designs;
    const send = (command: object) => this.#answer(command);
    this.client = Object.assign(Object.create(client) as DynamoDBClient, { send });
  }

  /** Every item that is planned, with what is stored of it. */
  async changes(): Promise<PlannedChange[]> {
    for (const [table, ones] of Map.groupBy([...this.#planned.values()], (one) => one.table)) {
      const unread = ones.filter(({ key }) => !this.#stored.has(placeOf(table, key)));
      const keys = unread.map(({ key }) => textsOf(key));
      for (const found of await batchGet(this.#client, table, keys, { consistent: true })) {
        const item = toItem(found);
        this.#stored.set(placeOf(table, item), item);
      }
    }
    return Array.from(this.#planned, ([place, { table, item }]) => {
      const before = this.#stored.get(place);
      return { table, before: before && unmarshall(before), after: item && unmarshall(item) };
    });
  }

  async #answer(command: object): Promise<unknown> {
    if (command instanceof QueryCommand) return this.#query(command.input);
    if (command instanceof TransactWriteItemsCommand) return this.#transact(command.input);
    if (command instanceof PutItemCommand) return this.#write('Put', command.input);
    if (command instanceof UpdateItemCommand) return this.#write('Update', command.input);
    if (command instanceof DeleteItemCommand) return this.#write('Delete', command.input);
    if (command instanceof GetItemCommand) {
      const { TableName: table = '', Key = {} } = command.input;
      const planned = this.#planned.get(placeOf(table, Key));
      return planned === undefined ? this.#client.send(command) : { Item: planned.item };
    }
    if (command instanceof BatchGetItemCommand) return this.#getTogether(command);
    if (command instanceof BatchWriteItemCommand) return this.#writeTogether(command.input);
    // Whole tables are read of organizations alone, which nothing plans to change.
    if (command instanceof ScanCommand) return this.#client.send(command);
    throw new Error(`A call of ${command.constructor.name} cannot be planned.`);
  }

  async #read(table: string, key: Stored): Promise<void> {
    const place = placeOf(table, key);
    if (this.#planned.has(place) || this.#stored.has(place)) return;
    // Who puts an item need not be allowed to get one by itself.
    const [found] = await batchGet(this.#client, table, [textsOf(keyOf(key))], { consistent: true });
    this.#stored.set(place, found && toItem(found));
  }

  #found(table: string, key: Stored): Stored | undefined {
    const place = placeOf(table, key);
    return this.#planned.has(place) ? this.#planned.get(place)?.item : this.#stored.get(place);
  }

  #isHeld(write: Write): boolean {
    const item = this.#found(write.TableName ?? '', keyOfWrite(write));
    return holds(write.ConditionExpression, meaningsOf(write), item && unmarshall(item));
  }

  #itemAfter(kind: Exclude<Kind, 'ConditionCheck'>, write: Write): Stored | undefined {
    const { TableName: table = '', UpdateExpression = '', Item } = write;
    if (kind !== 'Update') return Item;
    const key = keyOfWrite(write);
    return toItem(updated(UpdateExpression, meaningsOf(write), unmarshall(this.#found(table, key) ?? key)));
  }

  #plan(kind: Kind, write: Write): void {
    if (kind === 'ConditionCheck') return;
    const { TableName: table = '' } = write;
    const key = keyOf(keyOfWrite(write));
    const one = { table, key, item: this.#itemAfter(kind, write) };
    const partition = partitionOf(table, key['pk']?.S);
    const ofPartition = this.#partitions.get(partition) ?? new Map<string, Planned>();
    this.#planned.set(placeOf(table, key), one);
    this.#partitions.set(partition, ofPartition.set(placeOf(table, key), one));
  }

  async #write(kind: Kind, write: Write): Promise<object> {
    const { TableName: table = '' } = write;
    const key = keyOfWrite(write);
    await this.#read(table, key);
    if (!this.#isHeld(write)) {
      const found = this.#found(table, key);
      throw new ConditionalCheckFailedException({
        message: 'The plan says otherwise.',
        $metadata: {},
        ...(found && { Item: found }),
      });
    }
    this.#plan(kind, write);
    return { Attributes: this.#found(table, key) };
  }

  async #transact({ TransactItems = [] }: TransactWriteItemsCommand['input']): Promise<object> {
    const writes = TransactItems.flatMap((item) =>
      (['Put', 'Update', 'Delete', 'ConditionCheck'] as const).flatMap((kind) => {
        const write = item[kind];
        return write === undefined ? [] : [{ kind, write }];
      }),
    );
    const read = writes.filter(
      ({ kind, write }) => kind === 'Update' || write.ConditionExpression !== undefined,
    );
    await Promise.all(read.map(({ write }) => this.#read(write.TableName ?? '', keyOfWrite(write))));
    const reasons = writes.map(({ write }) => {
      if (this.#isHeld(write)) return { Code: 'None' };
      const Item = this.#found(write.TableName ?? '', keyOfWrite(write));
      return { Code: 'ConditionalCheckFailed', ...(Item && { Item }) };
    });
    if (reasons.some(({ Code }) => Code !== 'None')) {
      const message = 'The plan says otherwise.';
      throw new TransactionCanceledException({ message, $metadata: {}, CancellationReasons: reasons });
    }
    for (const { kind, write } of writes) this.#plan(kind, write);
    return {};
  }

  #writeTogether({ RequestItems = {} }: BatchWriteItemCommand['input']): object {
    for (const [TableName, requests] of Object.entries(RequestItems)) {
      for (const { PutRequest, DeleteRequest } of requests) {
        if (PutRequest !== undefined) this.#plan('Put', { TableName, Item: PutRequest.Item });
        if (DeleteRequest !== undefined) this.#plan('Delete', { TableName, Key: DeleteRequest.Key });
      }
    }
    return {};
  }

  async #getTogether(command: BatchGetItemCommand): Promise<object> {
    const page = await this.#client.send(command);
    const responses = Object.entries(command.input.RequestItems ?? {}).map(([table, { Keys = [] }]) => {
      const later = new Set(page.UnprocessedKeys?.[table]?.Keys?.map((key) => placeOf(table, key)));
      const asked = Keys.map((key) => placeOf(table, key)).filter((place) => !later.has(place));
      const items = [
        ...(page.Responses?.[table] ?? []).filter((item) => !this.#planned.has(placeOf(table, item))),
        ...asked.map((place) => this.#planned.get(place)?.item).filter((item) => item !== undefined),
      ];
      return [table, items] as const;
    });
    return { ...page, Responses: Object.fromEntries(responses) };
  }

  /** A page of a partition, with the planned items that stand between its first and its last one. */
  async #query(input: QueryCommandInput): Promise<object> {
    const { TableName: table = '', IndexName } = input;
    const design = this.#designs.get(table);
    if (design === undefined) throw new Error(`The design of ${table} is not known.`);
    const stored = await this.#client.send(new QueryCommand(input));
    const page = pageOf(design, input, stored.LastEvaluatedKey);
    const ofPartition = this.#partitions.get(partitionOf(table, page.partition));
    const candidates = IndexName === undefined ? (ofPartition?.values() ?? []) : this.#planned.values();
    const own = Array.from(candidates).flatMap((one) =>
      one.table === table && one.item !== undefined ? [one.item] : [],
    );
    const others = (stored.Items ?? []).filter((item) => !this.#planned.has(placeOf(table, item)));
    const items = [...others, ...own.filter((item) => page.has(item))];
    return { ...stored, Items: items.toSorted(page.order) };
  }
}
