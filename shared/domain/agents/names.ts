import { comparablePerson } from '../matching/names.ts';

/** The key of the agents that a name finds. */
export const agentNameKey = (owner: string, value: string) => ({ pk: `${owner}#NAME`, sk: value });

/** A name as agents are found by it; undefined for one that nobody can be found by. */
export function agentNameValue(name: string | undefined): string | undefined {
  const value = comparablePerson(name ?? '').slice(0, longestName);
  return value === '' ? undefined : value;
}

/** A name is a sort key of at most 1,024 bytes. */
const longestName = 200;
