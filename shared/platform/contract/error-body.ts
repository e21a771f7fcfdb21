import * as z from 'zod/mini';
import { requestId } from './envelope.ts';
import { errorRegistry } from './errors.ts';
import { looseObject, object } from './object.ts';
import { timestamp } from './primitives.ts';
import { reservedErrors } from './reserved-errors.ts';

export const errorDefinitions = { ...errorRegistry, ...reservedErrors };
const errorTypes = Object.keys(errorDefinitions).sort();

const issue = object(() => ({
  path: z.string(),
  message: z.string(),
  accepted: z.optional(z.array(z.union([z.string(), z.number()]))),
}));

const details = looseObject(() => ({
  expected: z.optional(z.string()),
  actual: z.optional(z.string()),
  instead: z.optional(z.string()),
  issues: z.optional(z.array(issue)),
}));

/** The shape of every error (OpenAPI, "Errors"). */
export const errorBody = object(() => ({
  statusCode: z.int(),
  requestId,
  errorType: z.enum(errorTypes),
  errorMessage: z.array(z.string()),
  timestamp,
  details: z.optional(details),
}));
