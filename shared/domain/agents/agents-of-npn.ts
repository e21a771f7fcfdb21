import { collect } from '../../platform/data/collect.ts';
import type { Table } from '../../platform/data/table.ts';
import { agentPartitions, type StoredAgent, storedAgent } from './stored.ts';

/** An owner's agents with an NPN; they are few. */
export const agentsOfNpn = (agents: Table<'by-npn'>, owner: string, npn: string): Promise<StoredAgent[]> =>
  collect(agents.query(storedAgent, agentPartitions.ofNpn(owner, npn), { index: 'by-npn', leavesOut: true }));
