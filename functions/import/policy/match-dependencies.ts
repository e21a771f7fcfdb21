import type { Tables } from '../../../shared/domain/tables.ts';
import type { MatchingTable, ReadMatching } from '../matching/matching.ts';
import type { PolicyWrites } from './store.ts';

/** What the commands need that change what transactions were matched to. */
export interface MatchDependencies {
  readonly tables: Tables<'policies' | MatchingTable>;
  readonly policies: PolicyWrites;
  readonly readMatching: ReadMatching;
  readonly now: () => Date;
}
