import * as z from 'zod/mini';
import { fields, later } from '../../platform/contract/object.ts';
import { textUpTo } from '../../platform/contract/primitives.ts';

/** National Producer Number: the registry's identifier of a producer or an agency. Files fill it up with zeros. */
export const npn = later(() =>
  z.string().check(
    z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits'),
    z.overwrite((digits) => digits.replace(/^0+(?=\d)/, '')),
  ),
);

/** An NPN in a text as it is compared; empty for one of zeros alone. */
export const comparableNpn = (written: string): string => written.trim().replace(/^0+/, '');

/** Employer Identification Number: nine digits, with or without a hyphen after the second; see `comparableEin`. */
export const ein = z.string().check(z.regex(/^\d{2}-?\d{7}$/, 'must be nine digits such as 75-1234567'));

/** The number of an insurance company. */
export const naicCode = textUpTo(20);

/** An EIN as it is compared, with its hyphen, which sources leave out; what has not nine digits stays as it is. */
export const comparableEin = (written: string): string => {
  const digits = written.replace(/\D/g, '');
  return digits.length === 9 ? `${digits.slice(0, 2)}-${digits.slice(2)}` : written;
};

const name = z.string();

/** A producer's names, as the records of producers and their events show them. */
export const producerNames = fields(() => ({
  firstName: name,
  middleName: z.nullable(name),
  lastName: name,
}));

/** An id or a code of another system, by which a list is filtered. */
export const codeFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
