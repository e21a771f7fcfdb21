import * as z from 'zod/mini';

/** What the registry knows of one NPN. */
export const npnLookup = z
  .object({
    npn: z.string().register(z.globalRegistry, { examples: ['17654321'] }),
    result: z.enum(['firm', 'individual', 'not found']),
    name: z.nullable(z.string()).register(z.globalRegistry, {
      description: 'Name as the registry spells it; null when the NPN is not found.',
    }),
  })
  .register(z.globalRegistry, {
    id: 'NpnLookup',
    description: 'What the registry has on record for an NPN.',
    examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  });

export type NpnLookup = z.output<typeof npnLookup>;
