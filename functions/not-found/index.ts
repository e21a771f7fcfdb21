import { readEnvironment } from '../../shared/config/environment.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { surroundings } from '../../shared/request/surroundings.ts';
import { notFoundEnvironment } from './environment.ts';
import { notFoundRoutes } from './routes.ts';

const context = surroundings('not-found', readEnvironment(notFoundEnvironment));

export const handler = lambdaHandler(
  createPipeline({ ...context, group: notFoundRoutes, operations: {}, deps: {} }),
  context,
);
