import { unicodePattern } from '../contract/unicode-pattern.ts';

const marks = unicodePattern('\\p{M}', 'gu');

/**
 * A text as a sort key: without case and accents, and in ASCII, so that DynamoDB and this code order it alike. Texts
 * that become equal are distinguished by the record id that follows them.
 */
export const sortText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(marks(), '')
    .toLowerCase()
    .replace(/[^ -~]/g, '~')
    .slice(0, 200);
