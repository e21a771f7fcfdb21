import * as fc from 'fast-check';
import type * as z from 'zod/mini';
import { weighted } from './values.ts';

/** A field of an input that takes a time or a day. */
interface TimeField {
  /** In the form of an issue, with `[]` for any index: `checklist[].items[].openedAt`. */
  readonly path: string;
  readonly takes: 'date' | 'datetime';
}

/** The fields of an input that take a time, or else a day; a time where they take either. */
export function timeFieldsOf(schema: z.core.$ZodType): TimeField[] {
  const found = new Map<string, TimeField>();
  for (const field of fieldsIn(schema, '')) {
    if (field.takes === 'datetime' || !found.has(field.path)) found.set(field.path, field);
  }
  return [...found.values()];
}

function* fieldsIn(schema: z.core.$ZodType, path: string): Generator<TimeField, void> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') {
    const { format } = def as { readonly format?: string };
    if (format === 'date' || format === 'datetime') yield { path, takes: format };
  } else if ('innerType' in def) yield* fieldsIn(def.innerType, path);
  else if (def.type === 'pipe') {
    yield* fieldsIn(def.in, path);
    yield* fieldsIn(def.out, path);
  } else if (def.type === 'array') yield* fieldsIn(def.element, `${path}[]`);
  else if (def.type === 'record') yield* fieldsIn(def.valueType, `${path}.*`);
  else if (def.type === 'union') for (const option of def.options) yield* fieldsIn(option, path);
  else if (def.type === 'object') {
    for (const [key, member] of Object.entries(def.shape)) {
      yield* fieldsIn(member, path === '' ? key : `${path}.${key}`);
    }
  }
}

/**
 * An input with a text in a field, in each element of the lists on the way to it.
 * @returns undefined where something on the way is missing.
 */
export function withText(input: unknown, path: string, text: string): unknown {
  if (path === '') return text;
  const [, key = '', list = '', rest = ''] = /^([^.[]+)((?:\[\])*)\.?(.*)$/.exec(path) ?? [];
  if (typeof input !== 'object' || input === null) return undefined;
  const member = (input as Readonly<Record<string, unknown>>)[key];
  if (list === '') {
    const changed = withText(member, rest, text);
    return changed === undefined ? undefined : { ...input, [key]: changed };
  }
  const elements = Array.isArray(member) ? member : [];
  const changed = elements.map((element) => withText(element, rest, text) ?? element);
  return changed.some((element, index) => element !== elements[index])
    ? { ...input, [key]: changed }
    : undefined;
}

/** The calendar's edges in UTC, as they are written in other zones; those of either end first. */
export const edges = [
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-00:01',
  '1000-01-01T00:00:00Z',
  '1000-01-01T00:00:00+00:01',
  '9999-12-31T00:00:00.000-23:59',
  '1000-01-01T00:00:00-23:59',
  '0999-12-31T23:59:59.999Z',
  '0999-12-31T23:59:00-00:01',
  '0000-01-01T00:00:00+00:01',
  '0000-01-01T00:00:00.000Z',
] as const;

export const days = ['0000-01-01', '0999-12-31', '1000-01-01', '9999-12-31', '0202-11-26'] as const;

const anyDate = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

/** Days of all years that have four digits. */
export const anyDay = weighted<string>(
  [1, fc.constantFrom(...days)],
  [1, anyDate.map((date) => date.toISOString().slice(0, 10))],
);

/** Instants that are written with a year of four digits, in any zone. */
export const anyInstant = weighted<string>(
  [1, fc.constantFrom(...edges)],
  [
    1,
    fc
      .tuple(anyDate, fc.constantFrom('Z', '+00:01', '-00:01', '+14:00', '-05:00', '+23:59', '-23:59'))
      .map(([date, zone]) => `${date.toISOString().slice(0, -1)}${zone}`),
  ],
);

/** Whether an instant is in the calendar: in UTC, its year has four digits, and no leading zero. */
export const isTaken = (instant: string): boolean => /^[1-9]\d{3}-/.test(new Date(instant).toISOString());
