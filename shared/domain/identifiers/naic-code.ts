import * as z from 'zod/mini';
import { described } from '../../platform/contract/described.ts';

/** The number of an insurance company. */
export const naicCode = described(
  z.string().check(z.minLength(1), z.maxLength(20)),
  DOCUMENTED && { description: 'NAIC company code of an insurer, usually 5 digits.', examples: ['19437'] },
);
