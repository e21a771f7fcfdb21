// What v1 has of a schema: it is frozen (OpenAPI, "Versions"), and has nothing that v2 gained.
import * as z from 'zod/mini';

const gainedFields = z.registry<{ readonly isGained: true }>();

/**
 * A field that v2 gained: the rows of v1 leave it out, wherever it stands. What a request may have of it is optional, without a
 * default: an operation of both gets none from v1.
 */
export function sinceV2<Field extends z.core.$ZodType>(schema: Field): Field {
  const field = z.clone(schema, schema._zod.def, { parent: true });
  gainedFields.add(field, { isGained: true });
  return field;
}

function isGained(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return gainedFields.get(field) !== undefined || ('innerType' in def && isGained(def.innerType));
}

/** Schemas in the form that v1 has, by those that they are made of, which the document has words for. */
export const schemasOfV1 = new Map<z.core.$ZodType, z.core.$ZodType>();

/** A schema without what v2 gained; itself where that is nothing. */
function asInV1(schema: z.core.$ZodType): z.core.$ZodType {
  const known = schemasOfV1.get(schema);
  if (known !== undefined) return known;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const parts: Readonly<Record<string, z.core.$ZodType>> = {
    ...(def.type === 'object' && def.shape),
    ...(def.type === 'array' && { element: def.element }),
    ...('innerType' in def && { innerType: def.innerType }),
  };
  const partsOfV1 = Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => (isGained(part) ? [] : [[name, asInV1(part)]])),
  );
  if (Object.keys(parts).every((name) => parts[name] === partsOfV1[name])) return schema;
  const change = def.type === 'object' ? { shape: partsOfV1 } : partsOfV1;
  const schemaOfV1 = z.clone(schema, { ...schema._zod.def, ...change });
  schemasOfV1.set(schema, schemaOfV1);
  return schemaOfV1;
}

/** Columns of a row, or of its answer, with their schemas as v1 has them. */
export const columnsOfV1 = <Columns extends object>(columns: Columns): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      column instanceof z.ZodMiniType ? asInV1(column) : column,
    ]),
  ) as Columns;
