import { memoize } from '#platform/data/caches.ts';
import { plain, wordPattern, wordsOf } from '../registry/words.ts';

/** Kind of a disposition as to an order that forbids to sell; `none` where it is no such order. */
export type DispositionKind = 'over' | 'in force' | 'not known' | 'none';

interface DispositionWords {
  readonly kind: DispositionKind;
  readonly words: readonly string[];
}

/** The words of dispositions, whole: of several in one part, the first row that has one counts. */
export const dispositionWords: readonly DispositionWords[] = [
  {
    kind: 'over',
    words: wordsOf(
      'vacated, set aside, overturned, rescinded, stayed, lifted, reinstated, reinstatement, terminated',
    ),
  },
  {
    kind: 'in force',
    words: wordsOf(
      'suspension, suspended, revocation, revoked, surrender, surrendered, prohibited, barred, debarment, debarred, cancelled, canceled, injunction, stay lifted',
    ),
  },
  { kind: 'not known', words: wordsOf('cease and desist') },
  {
    kind: 'none',
    words: wordsOf(
      'fine, penalty, forfeiture, restitution, reprimand, censure, warning, probation, consent, hearing, granted, denied, dismissed, withdrawn, show cause, costs',
    ),
  },
];

const patterns = dispositionWords.map(({ kind, words }) => ({ kind, pattern: wordPattern(words) }));

const stayLifted = /\bstay lifted\b/;
const money = '(?:fines?|penalty|penalties|forfeiture|costs)';
const takenBack = '(?:suspended|revoked|stayed|vacated|rescinded|set aside|lifted)';
const orders = '(?:suspension|revocation|surrender|debarment|injunction|reinstatement)';

/** A fine, a penalty, or a denial that is itself suspended or taken back: it is no order, nor the end of one. */
const fineTakenBack = new RegExp(
  `\\b(?:${money}|denial) (?:is |was |were )?${takenBack}\\b|\\b(?:suspension|revocation|stay) of (?:the |a )?(?:\\w+ )?(?:${money}|denial)\\b`,
  'g',
);

/** An order that is asked for or was refused: no order, nor the end of one; what else the part says counts. */
const requestedOrder = new RegExp(
  `\\b(?:show cause|application for|petition for|motion for|request for|denial of)(?: \\w+){0,6}? (?:${orders}|${takenBack})(?: denied)?\\b|\\b${orders} denied\\b`,
  'g',
);

function kindOfPart(part: string): DispositionKind | undefined {
  const words = part.replaceAll(fineTakenBack, 'fine').replaceAll(requestedOrder, 'denied');
  if (stayLifted.test(words)) return 'in force';
  return patterns.find(({ pattern }) => pattern.test(words))?.kind;
}

const isOfPartBefore = new RegExp(`^${takenBack}$`);
const isMoney = new RegExp(`\\b${money}$`);

/** Reads what a disposition says of an order (OpenAPI, "How compliance is decided"). */
export const dispositionKindOf: (disposition: string) => DispositionKind = memoize((disposition) => {
  const parts: string[] = [];
  for (const written of disposition.replaceAll('&', ' and ').split(/[;,]/)) {
    const [part, before] = [plain(written), parts.at(-1)];
    if (before !== undefined && isOfPartBefore.test(part) && isMoney.test(before))
      parts.splice(-1, 1, `${before} ${part}`);
    else parts.push(part);
  }
  const kinds = new Set(parts.map(kindOfPart));
  if (kinds.has('over') && kinds.has('in force')) return 'not known';
  return (['in force', 'not known', 'over', 'none'] as const).find((kind) => kinds.has(kind)) ?? 'not known';
});
