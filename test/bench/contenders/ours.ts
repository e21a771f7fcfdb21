import { policyOperations } from '../../../functions/policies/function.ts';
import { policyRoutes } from '../../../functions/policies/routes.ts';
import type { PolicyStore } from '../../../functions/policies/store.ts';
import type { UnlessRestored } from '../../../shared/platform/changes/change-index.ts';
import { createPipeline } from '../../../shared/platform/request/pipeline.ts';
import type { Contender } from './contender.ts';

/** No measured request asks what has changed. */
const unlessRestored: UnlessRestored = async (_since, pages) => pages;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export const ours = (policies: PolicyStore): Contender => ({
  name: 'this service',
  answer: createPipeline({
    environment: 'local',
    responseCheck: 'refuse',
    logger: silent,
    now: () => new Date(),
    group: policyRoutes,
    operations: policyOperations({ policies, unlessRestored }),
  }),
});
