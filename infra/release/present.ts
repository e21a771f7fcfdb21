import { readdir } from 'node:fs/promises';
import * as z from 'zod/mini';
import { agentNameKey } from '../../functions/import/matching/agents.ts';
import { evidenceKey } from '../../shared/domain/associations/match-evidence.ts';
import {
  deferredPartition,
  derivedEventId,
  unpublishedPartition,
} from '../../shared/domain/events/stored.ts';
import {
  changeShard,
  pollShard,
  renewalShard,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { drainKey, nextDrainKey } from '../../shared/domain/webhooks/drain.ts';
import { compatibleSchemas } from '../../shared/platform/contract/object.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import type { TableDesign } from '../../shared/platform/data/table-design.ts';
import { idempotencySecrets } from '../../shared/platform/request/idempotency.ts';
import type { JsonSchema } from '../openapi/document.ts';
import type { Indexes } from './previous.ts';

/** By name, what the present code reads: a JSON Schema of each schema that `compatible` marks. */
export async function presentSchemas(): Promise<ReadonlyMap<string, JsonSchema>> {
  // What no function imports is not deployed.
  const functions = await readdir('functions');
  await Promise.all(functions.map((name) => import(`../../functions/${name}/function.ts`)));
  const named = [...compatibleSchemas].sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(named.map(([name, schema]) => [name, jsonSchema(schema)]));
}

/** Documentation decides nothing. */
const undocumented = z.registry<object>();

function jsonSchema(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    metadata: undocumented,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: node }) => {
      Object.assign(node, inJson(zodSchema));
      // Every number of JSON is within these.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      delete node.default;
    },
  });
  return json;
}

/** What JSON Schema has no word for and DynamoDB has: sets and bytes. */
function inJson(schema: z.core.$ZodTypes): JsonSchema {
  const { def } = schema._zod;
  if (def.type === 'set') return { type: 'array', uniqueItems: true, items: jsonSchema(def.valueType) };
  if (def.type !== 'custom') return {};
  if (z.safeParse(schema, new Uint8Array()).success) return { type: 'string', contentEncoding: 'base64' };
  throw new Error('JSON Schema cannot say what a schema of another version has to accept.');
}

type MakeKey = (...parts: readonly never[]) => unknown;

/** The name of the record of a repeated write, and the hash of its body. */
const idempotencyRecord = () =>
  idempotencySecrets({ key: 'key', scope: ['organization', 'POST', 'path'], body: { member: 'value' } })
    .payload;

/** The keys that are in no object named `…Keys` or `…Partitions`. */
const single: Readonly<Record<string, MakeKey>> = {
  agentNameKey,
  changeShard,
  evidenceKey,
  deferredPartition,
  derivedEventId: () => derivedEventId('change', 'of an entity'),
  derivedObjectId: () => derivedObjectId('owner', 'kind', 'number'),
  drainKey,
  idempotencyRecord,
  nextDrainKey,
  renewalShard,
  subscriptionIdOf,
  unpublishedPartition,
  pollShard,
};

/** Keys of objects have a random part, and a reader of an object has its key from an item. */
const ofObjects = 'objectKeys';

/**
 * How the present code makes the keys of items, the values of index keys, and derived ids, by the names of its functions:
 * `agentKeys.npn` is `pk <0>#NPN, sk <1>`. Parts that are taken from a record have the names of its members.
 */
export async function presentKeys(): Promise<ReadonlyMap<string, string>> {
  const makers = { ...single };
  for (const path of await readdir('shared', { recursive: true })) {
    const [layer, folder, name] = path.split('/');
    if (name === undefined) continue;
    const exported: Readonly<Record<string, unknown>> = await import(
      `../../shared/${layer}/${folder}/${name}`
    );
    for (const [group, members] of Object.entries(exported)) {
      if (!/(Keys|Partitions)$/.test(group) || group === ofObjects || typeof members !== 'object') continue;
      for (const [member, make] of Object.entries<unknown>({ ...members })) {
        if (isFunction(make)) makers[`${group}.${member}`] = make;
      }
    }
  }
  const sorted = Object.entries(makers).sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(sorted.map(([name, make]) => [name, formatOf(make)]));
}

const isFunction = (value: unknown): value is MakeKey => typeof value === 'function';

/** The global secondary indexes that the present code's tables have, by table and name, as `<partition key>, <sort key>, keys`. */
export const presentIndexes = (): Indexes =>
  Object.fromEntries(
    tableDesigns.map((table: TableDesign) => [
      table.name,
      Object.fromEntries(
        Object.entries(table.indexes ?? {}).map(([name, { partitionKey, sortKey, projection }]) => [
          name,
          [partitionKey.name, `${sortKey.name} ${sortKey.type}`, projection].join(', '),
        ]),
      ),
    ]),
  );

function formatOf(make: MakeKey): string {
  const parts = Array.from({ length: make.length }, (_, index) => placeholder(`<${index}>`) as never);
  const key: unknown = JSON.parse(JSON.stringify(make(...parts)));
  if (typeof key !== 'object' || key === null) return String(key);
  return Object.entries(key)
    .map(([attribute, value]) => `${attribute} ${value}`)
    .join(', ');
}

/** Stands for a text, a number, or a record. */
const placeholder = (text: string): unknown =>
  new Proxy(
    {},
    {
      get(_target, member) {
        if (member === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 123_456 : text);
        if (member === 'toJSON') return () => text;
        const method: unknown = Reflect.get(String.prototype, member);
        return typeof method === 'function' ? method.bind(text) : `<${String(member)}>`;
      },
    },
  );
