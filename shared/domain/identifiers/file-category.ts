import * as z from 'zod/mini';

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
