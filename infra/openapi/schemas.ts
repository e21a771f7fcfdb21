// The document's schemas, made of those of the code and their words.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isObject, objectsIn } from '../text.ts';

/** A JSON Schema (draft 2020-12), the form schemas have in OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Whether a schema describes what callers send (`input`) or receive (`output`). */
type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';

/** The document's schemas: named ones as components, and all others with references to them. */
export type PublishedSchemas = ReturnType<typeof publishSchemas>;

/**
 * Turns zod schemas into JSON Schema. A schema with a meta `id` becomes the component of that name; where its two
 * directions differ, the one that callers send is named `<id>Input`.
 *
 * @param schemaTexts every zod schema that the document contains, by direction.
 */
export function publishSchemas(schemaTexts: Readonly<Record<Direction, readonly z.core.$ZodType[]>>) {
  const input = convert(schemaTexts.input, 'input');
  const output = convert(schemaTexts.output, 'output');

  const partedNames = partedIds(input.components, output.components);
  for (const node of [...input.components.values(), ...input.schemaTexts.values()].flatMap((json) => [
    ...objectsIn(json),
  ])) {
    const id = referredId(node);
    if (id !== undefined && partedNames.has(id)) node['$ref'] = `${prefix}${id}Input`;
  }
  const components = new Map(output.components);
  for (const [id, json] of input.components) components.set(partedNames.has(id) ? `${id}Input` : id, json);
  for (const [id, json] of components) leaveOutWordsOf(components.get(id.replace(/V1$/, '')), json);
  for (const [id, source] of Object.entries(fieldSources)) {
    for (const json of [components.get(id), components.get(`${id}Input`)]) {
      if (json === undefined || !leaveOutWordsOf(components.get(source), json, true)) continue;
      json.description = `${json.description} \`${source}\` explains its other fields.`;
    }
  }
  if (
    components.size !==
    new Set([...output.components.keys(), ...input.components.keys()]).size + partedNames.size
  ) {
    throw new Error('A schema id ends in Input and collides with the input form of another.');
  }

  /** Resolves a reference; returns any other schema unchanged. */
  const resolve = (schema: JsonSchema): JsonSchema => {
    const id = referredId({ ...schema });
    return id === undefined ? schema : (components.get(id) ?? fail(`component ${id}`));
  };

  /**
   * An example value, assembled from the schema's examples, constants, and enums.
   * @param name of the field that has it, or of the component.
   * @param path of the field, such as `data[].agent.npn`.
   * @throws Error naming the path of a required part for which the schema has none of these.
   */
  const exampleOf = (schema: JsonSchema, name = '', path = ''): unknown => {
    const id = referredId({ ...schema });
    if (id === 'ObjectId') return exampleId(name);
    const json = resolve(schema);
    const [first] = json.examples ?? [];
    if (first !== undefined) return first;
    if (json.const !== undefined) return json.const;
    const [firstValue] = json.enum ?? openValues(json);
    if (firstValue !== undefined) return firstValue;
    if (json.anyOf?.[0] !== undefined) return exampleOf(schemaIn(json.anyOf[0]), name, path);
    if ([json.type].flat().includes('boolean')) return false;
    if (json.format === 'date') return '2026-04-15';
    if (json.format === 'binary') return '(the bytes of the file)';
    if (json.type === 'array') return [exampleOf(schemaIn(json.items), name, `${path}[]`)];
    if (json.type === 'object') {
      return Object.fromEntries(
        Object.entries(json.properties ?? {})
          .filter(([key]) => json.required?.includes(key))
          .map(([key, property]) => [
            key,
            exampleOf(
              schemaIn(property),
              key === '_id' ? (id ?? name) : key,
              path === '' ? key : `${path}.${key}`,
            ),
          ]),
      );
    }
    return fail(`example of ${path}, ${JSON.stringify(json)}, in words for it or for the schema that has it`);
  };

  return {
    components: Object.fromEntries([...components].sort(([id], [nextId]) => (id < nextId ? -1 : 1))),
    /** @throws Error for a schema that is not in the document in that direction. */
    of: (schema: z.core.$ZodType, direction: Direction): JsonSchema =>
      (direction === 'input' ? input : output).schemaTexts.get(schema) ?? fail(`shown ${direction} schema`),
    exampleOf,
    resolve,
  };
}

/** Ids in examples, by a part of their field's or component's name; the first one that fits counts. */
const exampleIds = {
  association: '65f0c1d2e3a4b5c6d7e8f904',
  market: '65f0c1d2e3a4b5c6d7e8f904',
  product: '65f0c1d2e3a4b5c6d7e8f905',
  subscription: '65f0c1d2e3a4b5c6d7e8f910',
  template: '65f0c1d2e3a4b5c6d7e8f913',
  request: '65f0c1d2e3a4b5c6d7e8f920',
  registration: '65f0c1d2e3a4b5c6d7e8f921',
  document: '65f0c1d2e3a4b5c6d7e8f9aa',
  contact: '65f0c1d2e3a4b5c6d7e8f912',
  agent: '65f0c1d2e3a4b5c6d7e8f903',
  producer: '65f0c1d2e3a4b5c6d7e8f923',
  upstream: '65f0c1d2e3a4b5c6d7e8f900',
  owner: '65f0c1d2e3a4b5c6d7e8f900',
  entity: '65f0c1d2e3a4b5c6d7e8f906',
  '': '65f0c1d2e3a4b5c6d7e8f901',
};

/** The example of an id in a field: records that belong together refer to each other. */
const exampleId = (name: string): string | undefined =>
  Object.entries(exampleIds).find(([part]) => name.toLowerCase().includes(part))?.[1];

/**
 * The values so far of a field of a response to which more may be added (OpenAPI, "Responses"). With `enum`, generated clients
 * would have a closed type and could refuse the next value. https://opensource.zalando.com/restful-api-guidelines/#112
 */
const openEnum = 'x-extensible-enum';

const openValues = ({ [openEnum]: values }: JsonSchema): readonly unknown[] =>
  Array.isArray(values) ? values : [];

const fail = (part: string): never => {
  throw new Error(`The OpenAPI document lacks: ${part}.`);
};

type Components = Map<string, JsonSchema>;

function convert(schemas: readonly z.core.$ZodType[], io: Direction) {
  const components: Components = new Map();
  const schemaTexts = new Map<z.core.$ZodType, JsonSchema>();
  for (const schema of schemas) {
    const { $schema: _dialect, $defs = {}, ...json } = jsonSchemaOf(schema, { io, override: tidy(io) });
    for (const node of objectsIn([json, $defs])) {
      if (typeof node['$ref'] === 'string') node['$ref'] = node['$ref'].replace('#/$defs/', prefix);
    }
    for (const [id, definition] of Object.entries($defs)) {
      const definitionBefore = components.get(id);
      if (definitionBefore !== undefined && !isDeepStrictEqual(definitionBefore, definition)) {
        throw new Error(`Two schemas carry the id ${id}.`);
      }
      components.set(id, definition);
    }
    schemaTexts.set(schema, json);
  }
  return { components, schemaTexts };
}

/** Removes keywords that do not help readers, or would promise that responses never gain fields or values. */
const tidy =
  (io: Direction) =>
  ({ jsonSchema }: { jsonSchema: JsonSchema }): void => {
    // What zod says of files beside `format: binary`, but no value of this keyword.
    if (jsonSchema.contentEncoding === 'binary') delete jsonSchema.contentEncoding;
    // Every name is a string; generators that see it said take the values for optional.
    if (isDeepStrictEqual(jsonSchema.propertyNames, { type: 'string' })) delete jsonSchema.propertyNames;
    // The format is sufficient; the pattern is only zod's way of checking it.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    // Generators that take a whole number for a decimal write a type that does not compile.
    if (Number.isInteger(jsonSchema.const)) jsonSchema.type = 'integer';
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    // What a reference refers to says them; zod repeats those of an enum that is another's clone (`sinceV2`).
    if (jsonSchema.$ref !== undefined) delete jsonSchema.enum;
    const isClosed = jsonSchema['isClosed'] === true;
    delete jsonSchema['isClosed'];
    if (io === 'input') return;
    // Responses may gain fields (OpenAPI, "Responses"); requests with unknown ones are rejected. A map keeps its values.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.enum !== undefined && !isClosed) {
      jsonSchema[openEnum] = jsonSchema.enum;
      delete jsonSchema.enum;
    }
  };

/** Components with the fields of another, which alone explains them. */
const fieldSources: Readonly<Record<string, string>> = {
  AgencyFileDocument: 'FileDocument',
  AnsweredSaleCheck: 'SaleCheck',
  CarrierAppointment: 'Appointment',
  CarrierLicense: 'License',
  CarrierRegulatoryAction: 'RegulatoryAction',
  Filing: 'FilingSummary',
  ListedEscalation: 'Escalation',
  OtherStatesRequirement: 'StateRequirement',
  PolicyTransaction: 'Policy',
  ReceiptAppointment: 'Appointment',
  ReceiptLicense: 'License',
  SandboxAppointment: 'Appointment',
  SandboxLicense: 'License',
  SandboxRegulatoryAction: 'RegulatoryAction',
  UploadedAgencyFileDocument: 'FileDocument',
  UploadedFileDocument: 'FileDocument',
};

/** Leaves out of a component what another one says of its fields, but for meanings of values; tells whether anything was. */
function leaveOutWordsOf(source: JsonSchema | undefined, json: JsonSchema, keepsValues = false): boolean {
  if (source === undefined || source === json) return false;
  let isShorter = false;
  for (const [name, field] of Object.entries(json.properties ?? {})) {
    const { description } = schemaIn(source.properties?.[name] ?? {});
    if (!isObject(field) || description === undefined || field['description'] !== description) continue;
    if (keepsValues && description.includes('\n- `')) continue;
    delete field['description'];
    isShorter = true;
  }
  return isShorter;
}

/** Ids of schemas that differ between the two directions, themselves or through references. */
function partedIds(input: Components, output: Components): ReadonlySet<string> {
  const sharedComponents = [...input].filter(([id]) => output.has(id));
  const partedNames = new Set(
    sharedComponents.filter(([id, json]) => !isDeepStrictEqual(json, output.get(id))).map(([id]) => id),
  );
  for (let countBefore = -1; countBefore !== partedNames.size; ) {
    countBefore = partedNames.size;
    for (const [id, json] of sharedComponents) {
      if ([...objectsIn(json)].some((node) => partedNames.has(referredId(node) ?? ''))) partedNames.add(id);
    }
  }
  return partedNames;
}

const referredId = (node: Record<string, unknown>): string | undefined =>
  typeof node['$ref'] === 'string' ? node['$ref'].slice(prefix.length) : undefined;

/** Narrows a subschema to an object: JSON Schema also allows `true` and `false`, which our schemas do not use. */
function schemaIn(place: unknown): JsonSchema {
  return isObject(place) ? place : fail('a schema where one is expected');
}

/** The JSON Schema of a schema, with the words that `docs.ts` files have for it and for the schemas within. */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  params: Parameters<typeof z.toJSONSchema>[1],
): JsonSchema {
  const json: JsonSchema = { ...z.toJSONSchema(schema, params) };
  for (const node of objectsIn(json)) {
    translateWords(node);
    partTypes(node);
  }
  return json;
}

/** Writes several types beside null as alternatives: generators for Go know no list of them. */
function partTypes(node: Record<string, unknown>): void {
  const { type } = node;
  if (!Array.isArray(type) || type.filter((name) => name !== 'null').length < 2) return;
  delete node['type'];
  node['anyOf'] = type.map((name) => ({ type: name }));
}

/** Puts words about a field beside what its schema says. */
function addWords(node: Record<string, unknown>, words: unknown): void {
  const [description, ...examples] = [words].flat();
  const short: Record<string, unknown> = { description, ...(examples.length > 0 && { examples }) };
  const { fields, isSaid, ...ownWords } = isObject(words) ? words : short;
  if (isSaid === true || words === undefined) return;
  Object.assign(node, ownWords);
  if (fields !== undefined) within(node)['fields'] = fields;
}

/** Schema within null and lists. */
function within(node: Record<string, unknown>): Record<string, unknown> {
  const [inner = node['items']] = Array.isArray(node['anyOf']) ? node['anyOf'] : [];
  return isObject(inner) ? within(inner) : node;
}

/** Turns words that JSON Schema does not know into those that it does. */
function translateWords(node: Record<string, unknown>): void {
  const { fields, values, omits, properties } = node;
  if (isObject(properties)) {
    for (const [name, words] of Object.entries(isObject(fields) ? fields : {})) {
      const property = properties[name];
      if (isObject(property)) addWords(property, words);
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
