import * as z from 'zod/mini';
import { described } from './described.ts';
import { requestId } from './envelope.ts';
import { errorRegistry } from './errors.ts';
import { timestamp } from './primitives.ts';
import { reservedErrors } from './reserved-errors.ts';

const errorTypes = Object.keys({ ...errorRegistry, ...reservedErrors }).sort();

/** The shape of every error (OpenAPI, "Errors"). */
export const errorBody = described(
  z.object({
    statusCode: z.int(),
    requestId,
    errorType: z.enum(errorTypes),
    errorMessage: z.array(z.string()),
    timestamp,
    details: z.optional(
      z.looseObject({
        expected: z.optional(z.string()),
        actual: z.optional(z.string()),
        instead: z.optional(z.string()),
        issues: z.optional(
          z.array(
            z.object({
              path: z.string(),
              message: z.string(),
              accepted: z.optional(z.array(z.union([z.string(), z.number()]))),
            }),
          ),
        ),
      }),
    ),
  }),
  DOCUMENTED && {
    id: 'Error',
    description: 'An error. Branch on `errorType`, never on `errorMessage`.',
  },
);
