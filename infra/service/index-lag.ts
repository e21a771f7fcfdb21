import { Duration } from 'aws-cdk-lib';
import { indexLagEnvironment } from '../../functions/index-lag/environment.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { commonUses, type ServiceContext } from './context.ts';

/** Measures how far the indexes of changes lag; it writes one item of its own into each table. */
export function createIndexLag(context: ServiceContext): ServiceFunction {
  const { scope, deployment, data } = context;
  return new ServiceFunction(scope, 'index-lag', {
    deployment,
    timeout: Duration.seconds(30),
    environment: indexLagEnvironment,
    uses: {
      ...commonUses(context),
      AGENTS_TABLE: data.agents.allows({ items: ['GetItem', 'UpdateItem'], query: ['by-change'] }),
      ASSOCIATIONS_TABLE: data.associations.allows({
        items: ['GetItem', 'UpdateItem'],
        query: ['by-change'],
      }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({
        items: ['GetItem', 'UpdateItem'],
        query: ['by-change'],
      }),
      POLICIES_TABLE: data.policies.allows({ items: ['GetItem', 'UpdateItem'], query: ['by-change'] }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'UpdateItem'],
        query: ['by-change'],
      }),
    },
  });
}
