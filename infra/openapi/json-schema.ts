import * as z from 'zod/mini';
import { isObject, objectsIn } from '../text.ts';
import type { JsonSchema } from './document.ts';

/**
 * The JSON Schema of a schema, with the words that `docs.ts` files have for it and for the schemas within.
 * @param fields words for the fields of an object, in addition.
 */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  params: Parameters<typeof z.toJSONSchema>[1],
  fields?: Readonly<Record<string, unknown>>,
): JsonSchema {
  const json: JsonSchema = { ...z.toJSONSchema(schema, params), ...(fields && { fields }) };
  for (const node of objectsIn(json)) say(node);
  return json;
}

/** Puts words about a field beside what its schema says. */
function lay(node: Record<string, unknown>, words: unknown): void {
  const [description, ...examples] = [words].flat();
  const short: Record<string, unknown> = { description, ...(examples.length > 0 && { examples }) };
  const { fields, isSaid, ...own } = isObject(words) ? words : short;
  if (isSaid === true) return;
  Object.assign(node, own);
  if (fields !== undefined) within(node)['fields'] = fields;
}

/** What a schema is within null and lists. */
function within(node: Record<string, unknown>): Record<string, unknown> {
  const [inner = node['items']] = Array.isArray(node['anyOf']) ? node['anyOf'] : [];
  return isObject(inner) ? within(inner) : node;
}

/** Turns words that JSON Schema does not know into those that it does. */
function say(node: Record<string, unknown>): void {
  const { fields, values, omits, properties } = node;
  if (isObject(properties)) {
    for (const [name, words] of Object.entries(isObject(fields) ? fields : {})) {
      const property = properties[name];
      if (isObject(property)) lay(property, words);
    }
    delete node['fields'];
  } else if (isObject(fields)) {
    delete node['fields'];
    within(node)['fields'] = fields;
  }
  if (isObject(values)) {
    const list = Object.entries(values).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
    node['description'] = [node['description'] ?? [], list.join('\n')].flat().join('\n\n');
    delete node['values'];
  }
  for (const word of Array.isArray(omits) ? omits : []) delete node[word];
  delete node['omits'];
  delete node['isSaid'];
  delete node['isPlain'];
}
