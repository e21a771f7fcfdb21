import * as z from 'zod/mini';
import { stateCode, timestamp } from '#platform/contract/primitives.ts';
import { memoize } from '#platform/data/caches.ts';
import { compare } from '#platform/data/keys.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { plain, type WordsOf, wordPattern, wordsOf } from '../registry/words.ts';
import type { LicenseRow } from './records.ts';

/** Kind of a class of licenses: of themselves, only producer licenses allow to sell. */
export const kindOfClass = z.enum([
  'producer',
  'surplus lines',
  'adjuster',
  'consultant',
  'other',
  'unrecognized',
]);

export type ClassKind = z.output<typeof kindOfClass>;

/** The words of class names: the first row of which one occurs in a name, as a whole word or its plural, gives the class its kind. */
export const classWords: readonly WordsOf<Exclude<ClassKind, 'unrecognized'>>[] = [
  {
    kind: 'surplus lines',
    words: wordsOf(
      'surplus, excess line, excess lines, excess broker, e&s, s l broker, nonadmitted, non admitted, special insurance broker',
    ),
  },
  { kind: 'adjuster', words: wordsOf('adjuster, adjustor, adjusting, claims agency') },
  {
    kind: 'consultant',
    words: wordsOf('consultant, counselor, counsellor, adviser, advisor, advisory, analyst'),
  },
  {
    kind: 'other',
    words: wordsOf(
      'bail, bondsman, surety recovery, appraiser, administrator, reinsurance, navigator, viatical, settlement, club, service contract, warranty, pharmacy, managing general, mga, premium finance, purchasing group, risk retention, preneed, pre need, funeral, exchange, assistor, vendor, discount, utilization, rate service, health maintenance organization, limited, county mutual, not exceeding, cargo, legal expense, prepaid legal, pre paid legal, burial, baggage, ticket, title, travel, portable electronic, storage, credit, rental, escrow, legal plan, legal service, communications equipment, towner, manufactured housing',
    ),
  },
  {
    kind: 'producer',
    words: wordsOf(
      'producer, agent, agency, broker, solicitor, general lines, business entity, intermediary, life, health, property, casualty, personal lines, unlimited lines',
    ),
  },
];

/** Words that are no sign of a limited license. */
export const silentClassWords = 'limited liability';

const classPatterns = classWords.map(({ kind, words }) => ({ kind, pattern: wordPattern(words) }));

const kindOfName = memoize((name): ClassKind => {
  const words = plain(name).replaceAll(silentClassWords, '');
  return classPatterns.find(({ pattern }) => pattern.test(words))?.kind ?? 'unrecognized';
});

/** Kind that somebody gave a class of a state; of its licenses without a class where it names neither. */
export const classKindVersion = z.object({
  stateCode,
  classCode: z.nullable(z.string()),
  className: z.nullable(z.string()),
  /** Null where it was taken back. */
  kind: z.nullable(kindOfClass),
  /** Whether the organization said so itself: its own word wins. */
  isOwn: z.boolean(),
  recordedAt: timestamp,
});

export type ClassKindVersion = z.output<typeof classKindVersion>;

const byTime = (version: ClassKindVersion, otherVersion: ClassKindVersion): number =>
  compare(version.recordedAt, otherVersion.recordedAt);

/**
 * The kind of a license's class (OpenAPI, "How compliance is decided").
 * @param versions what was known of classes; of several that fit, the organization's own count, and of these the last.
 */
export function classKindOf(
  {
    stateCode,
    licenseClassCode,
    licenseClassName,
  }: Pick<LicenseRow, 'stateCode' | 'licenseClassCode' | 'licenseClassName'>,
  versions: readonly ClassKindVersion[],
): ClassKind {
  const [code, name] = [comparable(licenseClassCode), comparable(licenseClassName)];
  const fitting = versions.flatMap((version) => {
    const [itsCode, itsName] = [comparable(version.classCode), comparable(version.className)];
    const isOfRow =
      itsCode + itsName === ''
        ? code + name === ''
        : [code, ''].includes(itsCode) && [name, ''].includes(itsName);
    if (version.stateCode !== stateCode || !isOfRow) return [];
    return { ...version, whose: JSON.stringify([version.isOwn, itsCode, itsName]) };
  });
  const last = new Map(fitting.sort(byTime).map((version) => [version.whose, version]));
  const kindVersions = [...last.values()].filter(({ kind }) => kind !== null).sort(byTime);
  const strongest = kindVersions.findLast(({ isOwn }) => isOwn) ?? kindVersions.at(-1);
  return strongest?.kind ?? kindOfName(licenseClassName ?? '');
}
