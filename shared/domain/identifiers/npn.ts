import * as z from 'zod/mini';
import { later } from '../../platform/contract/object.ts';

/** National Producer Number: the registry's identifier of a producer or an agency. Files fill it up with zeros. */
export const npn = later(() =>
  z.string().check(
    z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits'),
    z.overwrite((digits) => digits.replace(/^0+(?=\d)/, '')),
  ),
);

/** An NPN in a text as it is compared; empty for one of zeros alone. */
export const comparableNpn = (written: string): string => written.trim().replace(/^0+/, '');
