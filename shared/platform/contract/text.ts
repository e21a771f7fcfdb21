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
const invisible = unicodePattern('[\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]');

const pictograph = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?[\\uFE0E\\uFE0F]?';

/** Letters of the block Arabic that join both neighbors, and those that join only the one before (Unicode, `ArabicShaping.txt`). */
const joinsBoth =
  '\\u0620\\u0626\\u0628\\u062A-\\u062E\\u0633-\\u063F\\u0641-\\u0647\\u0649\\u064A\\u066E\\u066F\\u0678-\\u0687\\u069A-\\u06BF\\u06C1\\u06C2\\u06CC\\u06CE\\u06D0\\u06D1\\u06FA-\\u06FC\\u06FF';
const joinsBefore =
  '\\u0622-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06EE\\u06EF';

/** Blocks of scripts whose consonants form conjuncts: Devanagari, Bengali, Gujarati, Oriya, Telugu, Kannada, and Malayalam. */
const conjunctBlocks = [0x0900, 0x0980, 0x0a80, 0x0b00, 0x0c00, 0x0c80, 0x0d00];
const escaped = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;

/** Where an invisible character changes how its neighbors look: a text with it looks different from one without. */
const seenInNeighbors = unicodePattern(
  [
    '\\p{RGI_Emoji_Tag_Sequence}',
    '[0-9#*][\\uFE0E\\uFE0F]\\u20E3',
    `${pictograph}(?:\\u200D${pictograph})*`,
    // A zero-width non-joiner that keeps letters from being joined, as in Persian, or consonants, each of these blocks has at the same places.
    `(?<=[${joinsBoth}]\\p{Mn}*)\\u200C(?=\\p{Mn}*[${joinsBoth}${joinsBefore}])`,
    ...conjunctBlocks.map(
      (block) =>
        `(?<=${escaped(block + 0x4d)})\\u200C(?=[${escaped(block + 0x15)}-${escaped(block + 0x39)}])`,
    ),
    // A zero-width joiner in conjuncts of Sinhala, in the eyelash ra of Marathi and Nepali, and before the ya-phalaa of Bengali.
    '(?<=\\u0DCA)\\u200D(?=[\\u0D9A-\\u0DC6])',
    '(?<=\\u0930\\u094D)\\u200D(?=[\\u0915-\\u0939])',
    '(?<=\\u09B0)\\u200D(?=\\u09CD\\u09AF)',
  ].join('|'),
  'gv',
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
  if (!mayHaveLines && invisible().test(text) && invisible().test(text.replace(seenInNeighbors(), ''))) {
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
