import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, recordTimes } from '../../platform/contract/primitives.ts';
import { multiline } from '../../platform/contract/text.ts';

/** A set of contracts that an agency signs; its `_id` is used as `contractContainerTemplateId`. */
export const contractContainerTemplate = described(
  lazyObject(() => ({
    ...describedShape(
      {
        _id: objectId,
        name: z.string().check(z.minLength(1), z.maxLength(300)),
        description: z.nullable(multiline(z.string())),
        isActive: z.boolean(),
      },
      DOCUMENTED && {
        _id: 'Id of the template, to send as `contractContainerTemplateId`.',
        name: {
          description: 'Name that the organization gave the template.',
          examples: ['Producer agreement 2026'],
        },
        description: {
          description: 'What the contracts are for, in one or more lines; null if nothing is recorded.',
          examples: ['For agencies that sell commercial lines.'],
        },
        isActive:
          'Whether agencies can be asked to sign it; always true in lists, which leave out the others.',
      },
    ),
    ...recordTimes(),
  })),
  DOCUMENTED && {
    id: 'ContractContainerTemplate',
    description: 'A set of contracts that an agency signs.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f913',
        name: 'Producer agreement 2026',
        description: null,
        isActive: true,
        createdAt: '2026-01-02T10:00:00.000Z',
        updatedAt: '2026-01-02T10:00:00.000Z',
      },
    ],
  },
);

export type ContractContainerTemplate = z.output<typeof contractContainerTemplate>;
