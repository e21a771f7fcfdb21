import * as z from 'zod/mini';

/** National Producer Number: what the registry knows a producer or an agency by. */
export const npn = z
  .string()
  .check(z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits'))
  .register(z.globalRegistry, { description: 'National Producer Number.', examples: ['17654321'] });
