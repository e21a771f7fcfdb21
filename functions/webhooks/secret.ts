import { randomBytes } from 'node:crypto';

/** A new signing secret (contract, "Records of import": `whsec_` + base64 of 32 bytes). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
