import type * as z from 'zod/mini';
import { unicodePattern } from './unicode-pattern.ts';

// What text a record may hold (OpenAPI, "Validation"). The rules hold for every string of a schema whose input is stored, so
// that a new field has them without saying so.

const multilineTexts = new WeakSet<z.core.$ZodType>();

/** A text that may have several lines, or be empty if its schema says so: a message or a note, not a name or a code. */
export function multiline<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  multilineTexts.add(schema);
  return schema;
}

/** Whether a schema is `multiline`. */
export const isMultiline = (schema: z.core.$ZodType): boolean => multilineTexts.has(schema);

/** Halves of surrogate pairs and code points that Unicode keeps out of text; queues refuse some, others become U+FFFD. */
const noCharacters = unicodePattern('[\\p{Cs}\\p{Noncharacter_Code_Point}]');
const controls = unicodePattern('\\p{Cc}');
const controlsOfLines = unicodePattern('[^\\P{Cc}\\t\\n\\r]');
/** What nobody sees: with it, two names or codes would differ and look the same, or show in another order than they are in. */
const invisible = unicodePattern('[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800]');
const emoji = unicodePattern(
  '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?(?:\\u200D\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?)*',
  'gu',
);

/** The text as it is stored. */
export const storedText = (text: string): string => text.trim().normalize();

/** Codes are parts of keys, and some characters become several when they are compared. */
const longestCode = 200;

/** An id of another system as it is compared: full-width digits and other variants of a character are that character. */
export const comparableId = (id: string): string => id.trim().normalize('NFKC').slice(0, longestCode);

/** A code as it is compared: as an id, and without regard to case. */
export const comparableCode = (code: string): string => comparableId(comparableId(code).toUpperCase());

/** Why a text cannot be stored; undefined when it can. */
export function textFault(text: string, mayHaveLines: boolean): string | undefined {
  if (noCharacters().test(text)) return 'has invalid characters';
  if ((mayHaveLines ? controlsOfLines : controls)().test(text)) return 'has control characters';
  if (!mayHaveLines && invisible().test(text) && invisible().test(text.replace(emoji(), ''))) {
    return 'has invisible characters';
  }
  return undefined;
}

/** How many things a message names: an organization's own data decides how many there are. */
const mostNamed = 10;

/** Things as a message names them: the first ten, and how many more there are. */
export function firstNamed(things: readonly string[], word: 'and' | 'or' = 'and'): string {
  const more = things.length - mostNamed;
  const [between, last] = word === 'and' ? [', ', ', and '] : [' or ', ' or '];
  return `${things.slice(0, mostNamed).join(between)}${more > 0 ? `${last}${more} more` : ''}`;
}
