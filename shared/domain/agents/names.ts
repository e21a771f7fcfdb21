import { comparablePeople } from '../identifiers/comparable-names.ts';
import type { StoredAgent } from './stored.ts';

/** The key of the agents that a name finds. */
export const agentNameKey = (owner: string, value: string) => ({ pk: `${owner}#NAME`, sk: value });

/** A name as agents are found by it; several with hyphens, and none for one that nobody can be found by. */
export const agentNameValues = (name: string | undefined): string[] =>
  comparablePeople(name ?? '')
    .map((value) => value.slice(0, longestName))
    .filter((value) => value !== '');

/** The names that find an agent. Spaces within the first or the last name count as hyphens, in place of which people write them. */
export const namesOfAgent = ({
  firstName,
  lastName,
}: Pick<StoredAgent, 'firstName' | 'lastName'>): string[] =>
  agentNameValues([firstName, lastName].map((name) => name.trim().replace(/\s+/g, '-')).join(' '));

/** A name is a sort key of at most 1,024 bytes. */
const longestName = 200;
