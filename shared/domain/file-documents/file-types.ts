import * as z from 'zod/mini';
import { MB } from '../../platform/aws/limits.ts';

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

/** What each category is for, of those that accept only PDF. */
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

/**
 * Types of file by media type; the bytes of a file decide its type. Stored files have one of these: a type that is no longer
 * accepted (`acceptedTypes`) stays here. `content.ts` recognizes them.
 */
export const fileTypes = {
  'application/pdf': 'PDF',
  'application/msword': 'DOC',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
} as const;

export type FileType = keyof typeof fileTypes;

export const fileTypeNames = Object.keys(fileTypes) as [FileType, ...FileType[]];

/** The types that a category accepts. */
export const acceptedTypes = (category: FileCategory): readonly FileType[] =>
  category === surplusLinesCategory ? fileTypeNames : ['application/pdf'];

/** What a document is for. */
export const fileCategory = z.enum(fileCategories);

/** The media type of a file. */
export const fileType = z.enum(fileTypeNames);

/** Sizes in bytes: a file, and what fits into one multipart request (a function's payload is at most 6 MB). */
export const largestFile = 10 * MB;
export const largestMultipartFile = 4 * MB;
