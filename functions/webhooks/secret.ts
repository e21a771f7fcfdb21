import { randomBytes } from 'node:crypto';

/** A new signing secret: `whsec_` and 32 bytes in base64. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
