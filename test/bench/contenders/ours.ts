import { policyOperations } from '../../../functions/policies/operations.ts';
import { policyRoutes } from '../../../functions/policies/routes.ts';
import type { PolicyStore } from '../../../functions/policies/store.ts';
import { createPipeline } from '../../../shared/platform/request/pipeline.ts';
import type { Contender } from './contender.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export const ours = (policies: PolicyStore): Contender => ({
  name: 'this service',
  answer: createPipeline({
    environment: 'local',
    responseCheck: 'refuse',
    logger: silent,
    now: () => new Date(),
    group: policyRoutes,
    operations: policyOperations,
    deps: { policies },
  }),
});
