import * as z from 'zod/mini';
import { textUpTo, unicodePattern } from '#platform/contract/primitives.ts';
import { memoize } from '#platform/data/caches.ts';

const ignoredSigns = unicodePattern('[^\\p{L}\\p{N}]+', 'gu');

const comparableOnce = memoize((text) =>
  text.normalize('NFKC').replaceAll(ignoredSigns(), '').toLowerCase().replace(/^0+/, ''),
);

/**
 * A number, code, or name as it is compared everywhere: its letters and digits, without case and leading zeros; empty where nothing
 * is left, and it counts as absent.
 */
export const comparable = (text: string | null | undefined): string =>
  text == null ? '' : comparableOnce(text);

/** A text as it is compared; null where nothing is left. */
export const comparableOrNull = (text: string | null): string | null => comparable(text) || null;

/** Digits, perhaps in groups. Other signs are none of its spellings: `8900195.0` would be somebody else's. */
const writtenNpn = /^[\d ,-]+$/;

/** An NPN as it is compared everywhere; what cannot be one stays as it is, and is nobody's. */
export const comparableNpn = (text: string): string =>
  writtenNpn.test(text) ? comparable(text) : text.trim();

/** National Producer Number: the registry's identifier of a producer or an agency, as it is compared: files fill it up with zeros. */
export const npn = z
  .string()
  .check(z.overwrite(comparableNpn), z.regex(/^[0-9]{1,10}$/, 'must be 1 to 10 digits'));

/** Employer Identification Number: nine digits, with or without a hyphen after the second. */
export const ein = z.string().check(z.regex(/^\d{2}-?\d{7}$/, 'must be nine digits such as 75-1234567'));

/** The number of an insurance company. */
export const naicCode = textUpTo(20);

const name = z.string();

/** A producer's names, as the records of producers and their events show them. */
export const producerNames = z.object({
  firstName: name,
  middleName: z.nullable(name),
  lastName: name,
});

/** An id or a code of another system, by which a list is filtered. */
export const codeFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
