import { unicodePattern } from '#platform/contract/primitives.ts';
import { memoize } from '#platform/data/caches.ts';

/** Kind of a status; nothing is known of an unrecognized one. */
export type StatusKind = 'ended' | 'lapsed' | 'inactive' | 'pending' | 'live' | 'unrecognized';

/** Words of a table that say the same. */
export interface WordsOf<Kind> {
  readonly kind: Kind;
  readonly words: readonly string[];
}

interface StatusWords extends WordsOf<Exclude<StatusKind, 'unrecognized'>> {
  /** Words that say so of appointments alone. */
  readonly ofAppointments?: readonly string[];
}

/** Words of a table. */
export const wordsOf = (list: string): readonly string[] => list.split(', ');

/** The words of statuses by what they say: of the parts of a status, the first row counts that has one. */
export const statusWords: readonly StatusWords[] = [
  {
    kind: 'ended',
    words: wordsOf(
      'revoked, suspended, surrendered, voluntary surrender, cancelled, canceled, terminated, deceased, retired, withdrawn, closed, void, not in force, not active',
    ),
    ofAppointments: wordsOf('inactive, term, termed, for cause'),
  },
  {
    kind: 'lapsed',
    words: wordsOf('expired, lapsed, non renewed, nonrenewed, not renewed, failed to renew'),
  },
  { kind: 'inactive', words: wordsOf('inactive, no, n, i') },
  {
    kind: 'pending',
    words: wordsOf(
      'pending, applied, in process, in progress, submitted, requested, denied, rejected, declined, incomplete, error',
    ),
  },
  {
    kind: 'live',
    words: wordsOf(
      'active, in force, current, valid, licensed, issued, renewed, reinstated, good standing, probation, yes, y, a',
    ),
    ofAppointments: wordsOf('appointed, approved'),
  },
];

/** Parts of a status that say nothing. */
export const silentWords: readonly string[] = wordsOf(
  'resident, non resident, renewal pending, ce exempt, grace period',
);

const punctuation = unicodePattern('[^\\p{L}\\p{N}]+', 'gu');

/** A text without case and punctuation. */
export const plain = (text: string): string => text.toLowerCase().replaceAll(punctuation(), ' ').trim();

/** Finds one of some words, whole or in the plural, in a text as `plain` has it. */
export const wordPattern = (words: readonly string[]): RegExp =>
  new RegExp(`\\b(?:${words.map((word) => plain(word).replace(/y$/, '(?:y|ie)')).join('|')})(?:e?s)?\\b`);

type Subject = 'license' | 'appointment';

function kindsOfWords(subject: Subject): ReadonlyMap<string, StatusKind | 'silent'> {
  const kinds = new Map<string, StatusKind | 'silent'>(silentWords.map((word) => [word, 'silent']));
  for (const { kind, words, ofAppointments = [] } of statusWords.toReversed()) {
    for (const word of subject === 'license' ? words : [...words, ...ofAppointments]) kinds.set(word, kind);
  }
  return kinds;
}

function readerOf(subject: Subject): (status: string) => StatusKind {
  const kindsOf = kindsOfWords(subject);
  return memoize((status) => {
    const parts = status
      .split(/ - |[/,;()]/)
      .map(plain)
      .filter((part) => part !== '');
    const kinds = new Set(parts.map((part) => kindsOf.get(part) ?? 'unrecognized'));
    kinds.delete('silent');
    const isEnded = kinds.has('ended') || kinds.has('lapsed');
    if (kinds.has('unrecognized') && !isEnded) return 'unrecognized';
    return statusWords.find(({ kind }) => kinds.has(kind))?.kind ?? 'unrecognized';
  });
}

const readers = { license: readerOf('license'), appointment: readerOf('appointment') };

/**
 * Reads the kind of the status of a license, of a line of authority, or of an appointment, which a termination reason ends (OpenAPI, "How
 * compliance is decided").
 */
export function statusKindOf(
  status: string,
  subject: Subject,
  terminationReason: string | null = null,
): StatusKind {
  const kind = readers[subject](status);
  return kind === 'live' && endingReason.test(plain(terminationReason ?? '')) ? 'ended' : kind;
}

const endingReason = wordPattern([
  ...statusWords.flatMap(({ kind, words, ofAppointments = [] }) =>
    kind === 'ended' || kind === 'lapsed' ? [...words, ...ofAppointments] : [],
  ),
  'cause',
]);

const denial = '\\b(?:not|non|without|w o|wo|no|other than)(?: (?:for|a|any|good|just|due to|terminated))* ';
const forCause = new RegExp(`(?<!${denial}(?:for)?)(?<!\\bbe)cause(?! no?$)|\\bavfs\\b`);

/** Whether a termination reason, or a status, says that an appointment ended for cause: in words, or by a state's code for it. */
export const isForCause = (text: string | null): boolean => forCause.test(plain(text ?? ''));
