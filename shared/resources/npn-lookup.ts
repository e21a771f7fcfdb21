import * as z from 'zod/mini';
import { described } from '../contract/described.ts';

/** What the registry knows of one NPN. */
export const npnLookup = described(
  z.object({
    npn: described(z.string(), DOCUMENTED && { examples: ['17654321'] }),
    result: z.enum(['firm', 'individual', 'not found']),
    name: described(
      z.nullable(z.string()),
      DOCUMENTED && {
        description: 'Name as spelled by the registry; null when the NPN is not found.',
      },
    ),
  }),
  DOCUMENTED && {
    id: 'NpnLookup',
    description: 'What the registry reports for an NPN.',
    examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  },
);

export type NpnLookup = z.output<typeof npnLookup>;
