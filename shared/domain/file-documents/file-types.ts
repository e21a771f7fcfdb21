import * as z from 'zod/mini';
import { MB } from '../../platform/aws/limits.ts';
import { type FileCategory, surplusLinesCategory } from '../identifiers/file-category.ts';

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

/** The media type of a file. */
export const fileType = z.enum(fileTypeNames);

/** Sizes in bytes: a file, and what fits into one multipart request (a function's payload is at most 6 MB). */
export const largestFile = 10 * MB;
export const largestMultipartFile = 4 * MB;
