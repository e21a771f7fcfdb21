import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';

/** What the registry knows of one NPN. */
export const npnLookup = described(
  lazyObject(() =>
    describedShape(
      {
        npn: z.string(),
        result: z.enum(['firm', 'individual', 'not found']),
        name: z.nullable(z.string()),
      },
      DOCUMENTED && {
        npn: { description: 'The NPN that was looked up, as sent.', examples: ['17654321'] },
        result: {
          description: 'What the registry has under the NPN.',
          values: {
            firm: 'An agency or another business.',
            individual: 'A person.',
            'not found': 'The registry does not recognize the NPN.',
          },
        },
        name: {
          description: 'Name as spelled by the registry; null when the NPN is not found.',
          examples: ['Lone Star Brokerage'],
        },
      },
    ),
  ),
  DOCUMENTED && {
    id: 'NpnLookup',
    description: 'What the registry reports for an NPN.',
    examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  },
);

export type NpnLookup = z.output<typeof npnLookup>;
