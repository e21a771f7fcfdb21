import * as z from 'zod/mini';
import { described } from '../contract/described.ts';

/** National Producer Number: what the registry knows a producer or an agency by. */
export const npn = described(
  z.string().check(z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits')),
  DOCUMENTED && { description: 'National Producer Number.', examples: ['17654321'] },
);
