import * as z from 'zod/mini';
import { isMultiline, storedText, textFault } from '../contract/text.ts';
import { isTransform, unwrapped } from './input-schema.ts';

/** Called for each text that cannot be stored. */
type OnFault = (path: readonly PropertyKey[], message: string) => void;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * An input in which every text that its schema names is as it is stored: trimmed and normalized. What the schema does not name
 * stays as it is.
 */
export function writtenText(
  schema: z.core.$ZodType,
  input: unknown,
  onFault: OnFault,
  at: readonly PropertyKey[] = [],
): unknown {
  const { def: outer } = (schema as z.core.$ZodTypes)._zod;
  // What is brought into the schema's form first is walked in that form, which bringing it there again leaves as it is.
  if (outer.type === 'pipe' && isTransform(outer.in)) {
    return writtenText(outer.out, z.parse(outer.in, input), onFault, at);
  }
  const inner = unwrapped(schema);
  const { def } = inner._zod;
  if (def.type === 'union') {
    return def.options.reduce<unknown>((value, option) => writtenText(option, value, onFault, at), input);
  }
  if (def.type === 'string' && typeof input === 'string') {
    const text = storedText(input);
    const lines = isMultiline(inner);
    const fault = textFault(text, lines);
    if (fault !== undefined) onFault(at, fault);
    // A schema that refuses an empty text has its own words for it.
    else if (text === '' && !lines && z.safeParse(inner, text).success) onFault(at, 'must not be empty');
    return text;
  }
  if (def.type === 'array' && Array.isArray(input)) {
    return input.map((item, index) => writtenText(def.element, item, onFault, [...at, index]));
  }
  if (def.type === 'object' && isRecord(input)) {
    const known = Object.entries(def.shape).filter(([key]) => Object.hasOwn(input, key));
    const members = known.map(([key, member]) => [
      key,
      writtenText(member, input[key], onFault, [...at, key]),
    ]);
    return { ...input, ...Object.fromEntries(members) };
  }
  return input;
}
