import * as z from 'zod/mini';
import { fields } from '../../platform/contract/object.ts';

const name = z.string();

/** A producer's names, as the records of producers and their events show them. */
export const producerNames = fields(() => ({
  firstName: name,
  middleName: z.nullable(name),
  lastName: name,
}));
