import * as z from 'zod/mini';
import { described, describedShape } from './described.ts';
import { requestId } from './envelope.ts';
import { errorRegistry } from './errors.ts';
import { lazyLooseObject, lazyObject } from './lazy-object.ts';
import { timestamp } from './primitives.ts';
import { reservedErrors } from './reserved-errors.ts';

const definitions = { ...errorRegistry, ...reservedErrors };
const errorTypes = Object.keys(definitions).sort();

const issue = lazyObject(() =>
  describedShape(
    {
      path: z.string(),
      message: z.string(),
      accepted: z.optional(z.array(z.union([z.string(), z.number()]))),
    },
    DOCUMENTED && {
      path: 'The field or parameter at fault, such as `items[2].name`; empty for the request as a whole.',
      message: 'What is wrong with it, for people; the wording may change.',
      accepted:
        'What would be accepted: the values of an enum, or the fields or parameters if one is not known.',
    },
  ),
);

const details = lazyLooseObject(() =>
  describedShape(
    {
      expected: z.optional(z.string()),
      actual: z.optional(z.string()),
      instead: z.optional(z.string()),
      issues: z.optional(z.array(issue)),
    },
    DOCUMENTED && {
      expected: 'Of a 403: what the operation requires, such as a category or a feature.',
      actual: 'Of a 403: what the request had instead, such as another category, or `none`.',
      instead: 'Another way to achieve the same, if there is one.',
      issues: 'Of a 400: the problems with the request, each with the field at fault.',
    },
  ),
);

/** The shape of every error (OpenAPI, "Errors"). */
export const errorBody = described(
  lazyObject(() =>
    describedShape(
      {
        statusCode: z.int(),
        requestId,
        errorType: z.enum(errorTypes),
        errorMessage: z.array(z.string()),
        timestamp,
        details: z.optional(details),
      },
      DOCUMENTED && {
        statusCode: 'The HTTP status of the response.',
        requestId: 'Identifies the request; quote it when you report a problem.',
        errorType: {
          description: 'What went wrong, for programs.',
          values: Object.fromEntries(
            Object.entries(definitions).map(([type, { sentence }]) => [type, sentence]),
          ),
        },
        errorMessage: 'What went wrong, for people: one or more sentences, whose wording may change.',
        timestamp:
          'When the service received the request: in UTC, or in another form if the gateway responded (see “Errors”).',
        details: 'What is known of the cause; which members it has depends on the status.',
      },
    ),
  ),
  DOCUMENTED && {
    // Not `Error`: a generated type of that name would hide the language's own.
    id: 'ErrorResponse',
    description: 'An error. Branch on `errorType`, never on `errorMessage`.',
  },
);
