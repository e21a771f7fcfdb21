import { apiFunction } from '#function/api-function.ts';
import { agentOperations } from './read-agents.ts';
import { createAgentSources } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of a carrier’s producers. */
export const agentsFunction = apiFunction({
  uses,
  operations: (resources) => agentOperations(createAgentSources(resources)),
});
