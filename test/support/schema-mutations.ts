import type { JsonSchema } from '../../infra/openapi/document.ts';

/** Changes of one schema by name. */
type Changes = Readonly<Record<string, JsonSchema>>;

const bounds = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'] as const;
const limits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'] as const;

const moved = (schema: JsonSchema, words: typeof bounds | typeof limits, by: number): Changes =>
  Object.fromEntries(
    words.flatMap((word) => {
      const limit = schema[word];
      return typeof limit === 'number' ? [[`another ${word}`, { ...schema, [word]: limit + by }]] : [];
    }),
  );

const otherType = ({ type }: JsonSchema): JsonSchema => ({ type: type === 'boolean' ? 'number' : 'boolean' });

const when = (applies: boolean, changes: Changes): Changes => (applies ? changes : {});

/** What nobody may write before all readers know it: in each, what a reader of the schema refuses. */
export function widened(schema: JsonSchema): Changes {
  const { type, enum: values, const: only, required = [], additionalProperties, pattern } = schema;
  const { contentEncoding, uniqueItems, ...listed } = schema;
  return {
    ...when(type !== undefined, { 'another type too': { anyOf: [schema, otherType(schema)] } }),
    ...when(values !== undefined, { 'one more value': { ...schema, enum: [...(values ?? []), 'another'] } }),
    ...when(only !== undefined, { 'another value': { ...schema, const: 'another' } }),
    ...when(pattern !== undefined, { 'another pattern': { ...schema, pattern: `${pattern}.` } }),
    ...when(contentEncoding !== undefined || uniqueItems !== undefined, { 'a text or a list': listed }),
    ...when(additionalProperties === false, {
      'one more member': { ...schema, properties: { ...schema.properties, another: { type: 'string' } } },
    }),
    ...Object.fromEntries(
      required.map((name) => [
        `no ${name}`,
        { ...schema, required: required.filter((other) => other !== name) },
      ]),
    ),
    ...moved(schema, bounds, -1),
    ...moved(schema, limits, 1),
  };
}

/** What nobody may refuse as long as it is stored or written: each refuses something that the schema admits. */
export function narrowed(schema: JsonSchema): Changes {
  const { type, enum: values, const: only, required = [], properties = {} } = schema;
  const isText = type === 'string' && values === undefined && only === undefined;
  return {
    ...when(type !== undefined, { 'another type': otherType(schema) }),
    ...when(isText, { 'another pattern': { ...schema, pattern: '^another$' } }),
    ...when(values !== undefined, { 'one value less': { ...schema, enum: values?.slice(1) ?? [] } }),
    ...when(type === 'object', {
      'one more required member': {
        ...schema,
        required: [...required, 'another'],
        properties: { ...properties, another: { type: 'string' } },
      },
    }),
    ...Object.fromEntries(
      Object.keys(properties)
        .filter((name) => !required.includes(name))
        .map((name) => [`always ${name}`, { ...schema, required: [...required, name] }]),
    ),
    ...moved(schema, bounds, 1),
    ...moved(schema, limits, -1),
  };
}
