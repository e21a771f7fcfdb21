/** Words at the end of a name that one source writes and another leaves out. */
const endings = /^(inc(orporated)?|llc|ltd|limited|corp(oration)?|co(mpany)?|ins(urance)?)$/;

/** Words that so many agencies have in their names that sharing one says nothing. */
const tradeWords =
  /^(agenc(y|ies)|agents?|and|assoc(iates)?|assurance|benefits|brok(ers?|erage)|consult(ants|ing)|financial|general|group|holdings|inc(orporated)?|llc|llp|ltd|limited|lp|corp(oration)?|co(mpany)?|ins(urance|urors)?|management|of|partners|risk|services?|solutions|the|underwrit(ers|ing))$/;

/** Words that people add to their names. */
const personEndings = /^(jr|sr|ii|iii|iv|cpcu|cic|esq)$/;

/** The words of a name, without case, accents and punctuation. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'’]/gu, '')
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** A company's name without case, accents, punctuation and the usual endings; one that consists of endings keeps the first. */
export function comparableName(name: string): string {
  const words = wordsOf(name);
  const last = words.findLastIndex((word) => !endings.test(word));
  return words.slice(0, Math.max(last, 0) + 1).join(' ');
}

/** First and last name of a person, written "First Middle Last" or "Last, First", without case, accents and punctuation. */
export function comparablePerson(name: string): string {
  const [last = '', ...first] = name.split(',');
  const words = wordsOf(first.length === 0 ? last : `${first.join(' ')} ${last}`);
  const own = words.filter((word) => !personEndings.test(word));
  const ends = own.length > 1 ? [own[0], own.at(-1)] : own;
  return ends.join(' ');
}

/** The words that tell a name from others; all words of one that has only those of the trade. */
function tellingWords(name: string): string[] {
  const words = wordsOf(name);
  const telling = words.filter((word) => !tradeWords.test(word));
  return telling.length === 0 ? words : telling;
}

/** The lengths from which words that differ by one letter, or by two, count as the same word, misspelled. */
const [oneLetterFrom, twoLettersFrom] = [4, 8];

/** Whether two names of people have a word in common, misspelled ones included. */
export const sharesWord = (one: string, other: string): boolean =>
  wordsOf(one).some((word) => wordsOf(other).some((another) => isSameWord(word, another)));

/**
 * Whether two names may be of the same company: the one with fewer words has none that the other lacks, misspelled ones
 * included. Words that most agencies have in their names do not count.
 */
export function mayBeSameCompany(one: string, other: string): boolean {
  const [fewer, more] = [tellingWords(one), tellingWords(other)].sort((a, b) => a.length - b.length);
  return fewer?.every((word) => more?.some((another) => isSameWord(word, another))) ?? false;
}

function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (longer.length < oneLetterFrom) return false;
  // "Lonestar" for "Lone Star".
  if (shorter.length >= oneLetterFrom && longer.includes(shorter)) return true;
  return distance(one, other) <= (longer.length < twoLettersFrom ? 1 : 2);
}

/** How many letters must be added, left out, replaced, or swapped with their neighbor to make one word of the other. */
function distance(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last?.[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last ?? [], next];
  }
  return last?.[other.length] ?? 0;
}
