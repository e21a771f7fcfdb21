import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { multiline } from '../contract/text.ts';

/** A set of contracts that an agency signs; its `_id` is used as `contractContainerTemplateId`. */
export const contractContainerTemplate = described(
  z.object({
    _id: objectId,
    name: z.string().check(z.minLength(1), z.maxLength(300)),
    description: z.nullable(multiline(z.string())),
    isActive: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
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
