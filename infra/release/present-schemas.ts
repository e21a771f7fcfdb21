import { readdir } from 'node:fs/promises';
import * as z from 'zod/mini';
import { compatibleSchemas } from '../../shared/platform/contract/compatible.ts';
import type { JsonSchema } from '../openapi/document.ts';

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
