import * as z from 'zod/mini';
import { recordDocs } from '../../functions/import/docs.ts';
import { type RecordType, recordSchemas } from '../../functions/import/record-schemas.ts';
import { sampleLines } from '../samples.ts';
import { describeFields } from './fields.ts';

/** The types of records that can be imported, in the order of import. */
export const recordTypes = Object.keys(recordSchemas) as RecordType[];

/** What a line of a type must match once the fields that the API computes are removed; see `orAnswered`. */
export function writtenSchema(type: RecordType): z.core.$ZodType {
  const schema: z.core.$ZodType = recordSchemas[type];
  return schema instanceof z.ZodMiniPipe ? schema._zod.def.out : schema;
}

/** The fields of records of a type, and the first sample of one. */
export function describeRecords(type: RecordType): string {
  const samples = [...sampleLines('upstream'), ...sampleLines('downstream')];
  const sample = samples.find((line) => line.startsWith(`{"type":"${type}"`));
  if (sample === undefined) throw new Error(`There is no sample of the type ${type}.`);
  return `${describeFields(writtenSchema(type), recordDocs[type])}\n\nExample:\n\n${sample}`;
}
