import * as z from 'zod/mini';
import { recordDocs } from '../../functions/import/docs.ts';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import { Refusal } from '../operator-tool.ts';
import { sampleLines } from '../samples.ts';
import { fieldsOf } from './fields.ts';
import { fieldLine } from './help.ts';

/** The types of records that can be imported, in the order of import. */
export const recordTypes = Object.keys(recordSchemas) as RecordType[];

const typed = z.looseObject({ type: z.string() });

/** What stands above the fields of a type. */
const remarks: Readonly<Partial<Record<RecordType, string>>> = {
  policy:
    'What the transactions of a policy do not say. Its agency and agents are matched by its lines of the type\npolicy-transaction: a policy without one stays unmatched, whatever it says of its agency.\n\n',
};

/** The first sample of a type. */
function sampleOf(type: RecordType): string {
  const lines = [...sampleLines('upstream'), ...sampleLines('downstream')];
  const found = lines.find((line) => z.parse(typed, JSON.parse(line)).type === type);
  if (found === undefined) throw new Error(`There is no sample of the type ${type}.`);
  return found;
}

/** The schema that a line must match once the fields that the API computes are removed; see `orAnswered`. */
function writtenSchema(type: RecordType): z.core.$ZodType {
  const schema: z.core.$ZodType = recordSchemas[type];
  return schema instanceof z.ZodMiniPipe ? schema._zod.def.out : schema;
}

/**
 * What `import --describe` prints: the fields of a type with an example, or without a type the types.
 * @throws Refusal for an unknown type.
 */
export function describeRecords(name: string | undefined): string {
  if (name === undefined) {
    return `Types of records, in the order of import:\n\n${recordTypes.join('\n')}\n\nFor the fields of one: npm run --silent admin -- import --describe policy`;
  }
  const type = recordTypes.find((known) => known === name);
  if (type === undefined) {
    throw new Refusal(`There is no type "${name}". Choose one of ${recordTypes.join(', ')}.`);
  }
  const fields = fieldsOf(writtenSchema(type), 'all', recordDocs[type]).map(fieldLine);
  return `${remarks[type] ?? ''}${fields.join('\n')}\n\nExample:\n\n${sampleOf(type)}`;
}
