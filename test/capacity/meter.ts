import * as z from 'zod/mini';
import type { Cost, TableCost } from '../../infra/capacity/measured-costs.ts';
import type { AwsCall } from '../../infra/local/aws/endpoint.ts';
import { type AwsRequest, targetOf } from '../../infra/local/aws/service.ts';
import type { RunParts } from '../../infra/local/local-run.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';
import { statementsCall, updateItemOf } from './statements.ts';

const units = z.object({ CapacityUnits: z._default(z.number(), 0) });
const consumed = z.object({
  TableName: z.string(),
  Table: z.optional(units),
  GlobalSecondaryIndexes: z._default(z.record(z.string(), units), {}),
});
const item = z.record(z.string(), z.record(z.string(), z.unknown()));
const answer = z.looseObject({
  ConsumedCapacity: z.optional(z.union([consumed, z.array(consumed)])),
  Items: z._default(z.array(item), []),
  Responses: z.optional(z.unknown()),
});
const batchAnswer = z.record(z.string(), z.array(item));
const entries = z.object({ Entries: z._default(z.array(z.unknown()), []) });

const reading = new Set(['BatchGetItem', 'GetItem', 'Query', 'TransactGetItems']);

/** The name under which the design describes a table of the local run. */
const designOf = (physical: string): string =>
  tableDesigns.find(({ name }) => physical.includes(`${name.replaceAll('-', '')}Table`))?.name ?? physical;

interface Metered {
  readonly calls: Map<string, number>;
  readonly tables: Map<string, TableCost>;
  events: number;
  invocations: number;
}

const none = (): TableCost => ({ read: 0, write: 0, listedBytes: 0, fetched: 0, fetchedBytes: 0 });
const nothing = (): Metered => ({
  calls: new Map(),
  tables: new Map(),
  events: 0,
  invocations: 0,
});

export type Meter = ReturnType<typeof createMeter>;

/**
 * Counts what each function of a local run asks of AWS: calls, capacity units by table and index as DynamoDB Local
 * reports them, and the number and size of the items that it reads.
 */
export function createMeter() {
  const functions = new Map<string, Metered>();
  const of = (name: string): Metered => {
    const known = functions.get(name) ?? nothing();
    functions.set(name, known);
    return known;
  };

  const add = (metered: Metered, table: string, more: Partial<TableCost>): void => {
    const before = metered.tables.get(table) ?? none();
    const sum = Object.entries(before).map(([name, value]) => [
      name,
      value + (more[name as keyof TableCost] ?? 0),
    ]);
    metered.tables.set(table, Object.fromEntries(sum) as TableCost);
  };

  const count = (metered: Metered, request: AwsRequest, body: unknown): void => {
    const { operation } = targetOf(request);
    const { ConsumedCapacity = [], Items, Responses } = z.parse(answer, body);
    const kind = reading.has(operation) ? 'read' : 'write';
    for (const { TableName, Table, GlobalSecondaryIndexes } of [ConsumedCapacity].flat()) {
      const table = designOf(TableName);
      if (Table !== undefined) add(metered, table, { [kind]: Table.CapacityUnits });
      for (const [index, { CapacityUnits }] of Object.entries(GlobalSecondaryIndexes)) {
        add(metered, `${table}/${index}`, { [kind]: CapacityUnits });
      }
      if (operation !== 'Query' || Items.length === 0) continue;
      const [index] = Object.keys(GlobalSecondaryIndexes);
      const bytes = Items.reduce((sum, one) => sum + storedBytes(one), 0);
      add(metered, index === undefined ? table : `${table}/${index}`, { listedBytes: bytes });
    }
    if (operation !== 'BatchGetItem') return;
    for (const [table, items] of Object.entries(z.parse(batchAnswer, Responses))) {
      const bytes = items.reduce((sum, one) => sum + storedBytes(one), 0);
      add(metered, designOf(table), { fetched: items.length, fetchedBytes: bytes });
    }
  };

  const actionOf = ({ request, service, accesses }: AwsCall): string => {
    const { operation } = targetOf(request);
    return operation === '' ? (accesses[0]?.action ?? service) : `${service}:${operation}`;
  };

  return {
    middleware:
      ({ dynamo }: RunParts) =>
      async (call: AwsCall, next: () => Promise<void>): Promise<void> => {
        const { caller, request, response } = call;
        const metered = of(caller.name);
        const action = actionOf(call);
        // Lambda deletes the messages of a batch when the function is done with them.
        if (caller.isCode !== true) {
          if (action.startsWith('sqs:DeleteMessage')) metered.invocations += 1;
          return next();
        }
        metered.calls.set(action, (metered.calls.get(action) ?? 0) + 1);
        if (action === 'events:PutEvents') {
          metered.events += z.parse(entries, JSON.parse(request.body.toString('utf8'))).Entries.length;
        }
        if (!action.startsWith('dynamodb:')) return await next();
        const asked: object = ofWholeItems(JSON.parse(request.body.toString('utf8')));
        const ask = async (target: string, body: object) => {
          const engine = await fetch(dynamo.endpoint, {
            method: 'POST',
            headers: {
              'content-type': String(request.headers['content-type']),
              'x-amz-target': target,
              authorization: String(request.headers.authorization),
            },
            body: JSON.stringify({ ...body, ReturnConsumedCapacity: 'INDEXES' }),
          });
          const text = await engine.text();
          if (engine.ok) count(metered, request, JSON.parse(text));
          return { status: engine.status, text };
        };
        if (action === 'dynamodb:BatchExecuteStatement') {
          const updates = z.parse(statementsCall, asked).Statements.map(updateItemOf);
          const answers = await Promise.all(updates.map((one) => ask('DynamoDB_20120810.UpdateItem', one)));
          const Responses = answers.map(({ status }) =>
            status === 200 ? {} : { Error: { Code: 'ConditionalCheckFailed' } },
          );
          response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
          response.end(JSON.stringify({ Responses }));
          return;
        }
        const target = String(request.headers['x-amz-target']);
        const { status, text } =
          action === 'dynamodb:TransactWriteItems'
            ? await askInTurn(target, asked, ask)
            : await ask(target, asked);
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(text);
      },

    reset: (): void => functions.clear(),

    /** What a function asked for since the last reset, divided by the number of operations that this was for. */
    costOf(name: string, operations = 1): Cost {
      const { calls, tables: byTable, events, invocations } = of(name);
      const each = (value: number): number => Math.round((value / operations) * 1_000) / 1_000;
      const sorted = <Value, To>(from: Map<string, Value>, to: (value: Value) => To) =>
        Object.fromEntries(Array.from(from, ([key, value]) => [key, to(value)] as const).sort(byName));
      return {
        invocations: each(invocations),
        events: each(events),
        calls: sorted(calls, each),
        tables: sorted(byTable, (cost) =>
          Object.fromEntries(Object.entries(cost).map(([key, value]) => [key, each(value)])),
        ) as Cost['tables'],
      };
    },
  };
}

const projecting = z.looseObject({
  ProjectionExpression: z.string(),
  KeyConditionExpression: z.string(),
  FilterExpression: z._default(z.string(), ''),
  ExpressionAttributeNames: z.record(z.string(), z.string()),
});

/** A query without its projection: what that leaves out is read and paid for all the same, and counts where a list is longer. */
function ofWholeItems(asked: object): object {
  const query = z.safeParse(projecting, asked).data;
  if (query === undefined) return asked;
  const { ProjectionExpression: _projection, FilterExpression, ExpressionAttributeNames, ...others } = query;
  const used = `${query.KeyConditionExpression} ${FilterExpression}`.match(/#\d+/g) ?? [];
  return {
    ...others,
    ...(FilterExpression === '' ? {} : { FilterExpression }),
    ExpressionAttributeNames: Object.fromEntries(used.map((name) => [name, ExpressionAttributeNames[name]])),
  };
}

const transaction = z.object({ TransactItems: z.array(z.unknown()) });

type Ask = (target: string, body: object) => Promise<{ status: number; text: string }>;

/**
 * Executes the items of a transaction in turn, each as a transaction of its own: of several items of a table, DynamoDB Local
 * says what two of them consume.
 * @throws Error when a later item is refused, since the earlier ones are written: such work can't be measured.
 */
async function askInTurn(target: string, asked: object, ask: Ask) {
  for (const [index, one] of z.parse(transaction, asked).TransactItems.entries()) {
    const { status } = await ask(target, { TransactItems: [one] });
    if (status === 200) continue;
    if (index > 0) throw new Error(`Item ${index} of a transaction was refused after others were written.`);
    return ask(target, asked);
  }
  return { status: 200, text: '{}' };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
