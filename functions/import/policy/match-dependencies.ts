import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { MatchingTable, ReadMatching } from '../matching/matching.ts';
import type { PolicyWrites } from './store.ts';

/** What the commands need that change what transactions were matched to. */
export interface MatchDependencies {
  readonly client: DynamoDBClient;
  readonly tables: Readonly<Record<'policies' | MatchingTable, string>>;
  readonly policies: PolicyWrites;
  readonly readMatching: ReadMatching;
  readonly now: () => Date;
}
