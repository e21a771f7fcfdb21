import * as z from 'zod/mini';
import { described } from '../../platform/contract/described.ts';

/** National Producer Number: the registry's identifier of a producer or an agency. */
export const npn = described(
  z.string().check(z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits')),
  DOCUMENTED && { description: 'National Producer Number, 1 to 10 digits.', examples: ['17654321'] },
);
