import * as z from 'zod/mini';

/** A line of an operator's file before its schema has checked it. */
export type Line = Readonly<Record<string, unknown>>;

const line = z.record(z.string(), z.unknown());

/**
 * A record as an operator writes it, or as the API answers it.
 * @param written the record as an operator would write it: without what the API computes, and under the import's names.
 */
export const orAnswered = <Output>(schema: z.core.$ZodType<Output>, written: (answered: Line) => Line) =>
  z.pipe(
    z.transform((given: unknown): unknown => {
      const { success, data } = z.safeParse(line, given);
      return success ? written(data) : given;
    }),
    schema,
  );

/** A line without these fields. */
export const without = (given: Line, ...fields: readonly string[]): Line =>
  Object.fromEntries(Object.entries(given).filter(([field]) => !fields.includes(field)));

/** A line with the id that the API answers under another name; both at once must be the same. */
export function withIdFrom(given: Line, field: string): Line {
  const { [field]: id, ...rest } = given;
  if (id === undefined || (rest['_id'] !== undefined && rest['_id'] !== id)) return given;
  return { ...rest, _id: id };
}
