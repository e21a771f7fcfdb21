import * as z from 'zod/mini';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId, textUpTo, unicodePattern } from '#platform/contract/primitives.ts';
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

/**
 * Digits, perhaps in groups, such as `8,123,456` and `0017-654321`; two of five digits would be two NPNs. Other signs are none of its
 * spellings: `8900195.0` would be somebody else's.
 */
const writtenNpn = /^(?!.*\d{5}[ -]+\d{5})[\d -]*$|^\d{1,3}(?:,\d{3})+$/;

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

/** A company's number that is asked about: where nothing of it is left to compare, no company would be. */
export const companyCode = naicCode.check(
  z.refine((code) => comparable(code) !== '', 'must have a letter, or a digit other than 0'),
);

const name = z.string();

/** A producer's names, as the records of producers and their events show them. */
export const producerNames = z.object({
  firstName: name,
  middleName: z.nullable(name),
  lastName: name,
});

/** An id or a code of another system, by which a list is filtered. */
export const codeFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** The id of a market, which agencies may send under either of its names (OpenAPI, "Terms"). */
export const marketIds = z.object({
  upstreamDownstreamAssociationId: z.optional(objectId),
  downstreamEntityAssociationId: z.optional(objectId),
});

/**
 * The market that a request names, and under which name.
 * @throws ApiError `validation_error` for two that differ.
 */
export function marketIdOf({
  upstreamDownstreamAssociationId: id,
  downstreamEntityAssociationId: otherId,
}: z.output<typeof marketIds>) {
  if (id !== undefined && otherId !== undefined && id !== otherId) {
    throw invalidAt(
      'downstreamEntityAssociationId',
      'differs from upstreamDownstreamAssociationId: send one',
    );
  }
  if (id !== undefined) return { id, path: 'upstreamDownstreamAssociationId' } as const;
  return otherId === undefined
    ? undefined
    : ({ id: otherId, path: 'downstreamEntityAssociationId' } as const);
}

/** Accepts five types of file, v2 only, and creates a new document for every upload. */
export const surplusLinesCategory = 'Surplus Lines';

/** Accept only PDF, v1 and v2; a repeat for the same association and category adds a version. */
export const versionedCategories = [
  'W9',
  'E&O',
  'Cyber',
  'Producer Agreement',
  'Crime & Fidelity',
  'Other Contract',
  'Other Document',
] as const;

export const fileCategories = [surplusLinesCategory, ...versionedCategories] as const;

/** Meanings of the categories that accept only PDF. */
export const versionedCategoryMeanings = {
  W9: 'Form W-9, which states a taxpayer identification number.',
  'E&O': 'Evidence of errors and omissions insurance.',
  Cyber: 'Evidence of cyber insurance.',
  'Producer Agreement': 'An agreement between a carrier and an agency.',
  'Crime & Fidelity': 'Evidence of crime or fidelity insurance.',
  'Other Contract': 'Any other contract.',
  'Other Document': 'Any other document.',
} as const;

export type FileCategory = (typeof fileCategories)[number];

/** The purpose of a document. */
export const fileCategory = z.enum(fileCategories);
