import { apiFunction } from '../../shared/domain/api-function.ts';
import { agentDeps } from './deps.ts';
import * as complianceStatuses from './license-compliance-statuses.ts';
import * as agents from './read-agents.ts';
import * as registryRecords from './registry-records.ts';
import { uses } from './uses.ts';

/** Serves the routes of a carrier’s producers. */
export const createAgentsFunction = apiFunction({
  uses,
  deps: agentDeps,
  guards: () => ({}),
  operations: { ...agents, ...registryRecords, ...complianceStatuses },
});
