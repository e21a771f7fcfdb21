import { unicodePattern } from '#platform/contract/primitives.ts';

/** Words at the end of a name that one source writes and another leaves out. */
const endings = /^(inc(orporated)?|llc|ltd|limited|corp(oration)?|co(mpany)?|ins(urance)?)$/;

/** Words that so many agencies have in their names that sharing one says nothing. */
const tradeWords =
  /^(agenc(y|ies)|agents?|and|assoc(iates)?|assurance|benefits|brok(ers?|erage)|consult(ants|ing)|financial|general|group|holdings|inc(orporated)?|llc|llp|ltd|limited|lp|corp(oration)?|co(mpany)?|ins(urance|urors)?|management|of|partners|risk|services?|solutions|the|underwrit(ers|ing))$/;

/** Words that people add to their names, or that others put before them. */
const personTitles = /^(jr|sr|ii|iii|iv|v|cpcu|cic|clu|chfc|esq|phd|md|mr|mrs|ms|dr)$/;

const marks = unicodePattern("[\\p{M}.'’]", 'gu');
const betweenWords = unicodePattern('[^\\p{L}\\p{N}]+');
const betweenParts = unicodePattern('[^\\p{L}\\p{N}\\p{Pd}]+');
const hyphens = unicodePattern('\\p{Pd}+');

/** A name without case, accents, and the punctuation within words. */
const plain = (name: string): string => name.normalize('NFKD').toLowerCase().replace(marks(), '');

/** The words of a name, without case, accents and punctuation. */
const wordsOf = (name: string): string[] =>
  plain(name)
    .replaceAll('&', ' and ')
    .split(betweenWords())
    .filter((word) => word !== '');

/** A company's name without case, accents, punctuation and the usual endings; one that consists of endings keeps the first. */
export function comparableName(name: string): string {
  const words = wordsOf(name);
  const last = words.findLastIndex((word) => !endings.test(word));
  return words.slice(0, Math.max(last, 0) + 1).join(' ');
}

/** Words between a company's legal name and the one that it goes by. */
const doingBusinessAs =
  /(?:^|[\s,(])(?:d\s*\/\s*b\s*\/\s*a|d\.\s*b\.\s*a|dba|doing business as)(?=[\s.:,]|$)/i;

/** The names in a name such as "Smith Holdings, Inc. d/b/a Lone Star Brokerage"; each is a key, so that there are at most three. */
const namesIn = (name: string): string[] =>
  name.split(doingBusinessAs, 3).filter((part) => part.trim() !== '');

/** The names by which a company may be known, as `comparableName`, and without spaces, which hyphens may stand for. */
export const companyNames = (name: string): string[] =>
  namesIn(name).map((part) => comparableName(part).replaceAll(' ', ''));

/** The words of a part of a person's name, each as the parts between its hyphens. */
const wordsOfPart = (part: string): string[][] =>
  plain(part)
    .split(betweenParts())
    .map((word) => word.split(hyphens()).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0 && !personTitles.test(parts.join('')));

/**
 * The words of a person's name, first name first. Before a comma stands the last name, if something other than titles
 * follows: one of several words is as one with hyphens, in place of which people write spaces.
 */
function personWords(name: string): string[][] {
  const [last = '', ...first] = name.split(',');
  const [lastWords, firstWords] = [wordsOfPart(last), wordsOfPart(first.join(' '))];
  return firstWords.length === 0
    ? lastWords
    : [...firstWords, lastWords.flat()].filter((parts) => parts.length > 0);
}

/**
 * First and last name of a person, written "First Middle Last" or "Last, First", without case, accents and punctuation. One with
 * hyphens is in several forms, at most six: people leave out the hyphen, or one of two last names.
 */
export function comparablePeople(name: string): string[] {
  const [first = [], ...rest] = personWords(name);
  const last = rest.at(-1);
  const forms = ([firstPart = '', ...otherParts]: readonly string[]): string[] => [
    firstPart,
    [firstPart, ...otherParts].join(''),
  ];
  const firsts = forms(first);
  const lasts = last === undefined ? [''] : [...forms(last), last.at(-1) ?? ''];
  return [...new Set(firsts.flatMap((first) => lasts.map((lastForm) => `${first} ${lastForm}`.trim())))];
}

/** The words that tell a name from others; all words of one that has only those of the trade. */
function tellingWords(name: string): string[] {
  const words = wordsOf(name);
  const telling = words.filter((word) => !tradeWords.test(word));
  return telling.length === 0 ? words : telling;
}

/** The lengths from which words that differ by one letter, or by two, count as the same word, misspelled. */
const [oneLetterFrom, twoLettersFrom] = [4, 8];

const sharesWord = (words: readonly string[], otherWords: readonly string[]): boolean =>
  words.some((word) => otherWords.some((otherWord) => isSameWord(word, otherWord)));

/**
 * Whether a written name may be that of a person: it has a word of the last name, misspelled ones included. A first name in common
 * says little, but that the names may be in the other order.
 */
export function mayBeSamePerson(
  writtenName: string,
  { firstName, lastName }: { readonly firstName: string; readonly lastName: string },
): boolean {
  const [first = [], ...rest] = personWords(writtenName);
  const otherWords = rest.flat();
  const last = wordsOf(lastName);
  if (sharesWord(otherWords, last)) return true;
  return sharesWord(first, last) && (otherWords.length === 0 || sharesWord(otherWords, wordsOf(firstName)));
}

/**
 * Whether two names may be of the same company: of two names that they go by, the one with fewer words has none that the other
 * lacks, misspelled ones included. Words that most agencies have in their names do not count.
 */
export const mayBeSameCompany = (a: string, b: string): boolean =>
  namesIn(a).some((name) => namesIn(b).some((otherName) => mayBeSameName(name, otherName)));

function mayBeSameName(a: string, b: string): boolean {
  const [fewer = [], more = []] = [tellingWords(a), tellingWords(b)].sort((a, b) => a.length - b.length);
  const isSubset = fewer.every((word) => more.some((otherWord) => isSameWord(word, otherWord)));
  return isSubset || fewer.join('') === more.join('');
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (longer.length < oneLetterFrom) return false;
  // "Lonestar" for "Lone Star".
  if (shorter.length >= oneLetterFrom && longer.includes(shorter)) return true;
  return distance(a, b) <= (longer.length < twoLettersFrom ? 1 : 2);
}

/** Number of letters to be added, left out, replaced, or swapped with their neighbor to make one word of the other. */
function distance(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last ?? [], next];
  }
  return last?.[b.length] ?? 0;
}
