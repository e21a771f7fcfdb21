import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { readGatewayDefinition } from './definition.ts';
import type { GatewayOptions } from './gateway.ts';
import { invokePermissions, refuseUninvokable } from './invoke-permissions.ts';

/** Supported settings of a method, which concern logging; others are refused because they may change responses. */
const methodSetting = z.strictObject({
  HttpMethod: z.string(),
  ResourcePath: z.string(),
  LoggingLevel: z.optional(z.unknown()),
  DataTraceEnabled: z.optional(z.unknown()),
  MetricsEnabled: z.optional(z.unknown()),
});

/** Supported properties of a stage. */
const stageProperties = z.strictObject({
  StageName: z.string(),
  MethodSettings: z.optional(z.array(methodSetting)),
  // References to its API, and logging.
  RestApiId: z.unknown(),
  DeploymentId: z.unknown(),
  AccessLogSetting: z.optional(z.unknown()),
  TracingEnabled: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
});

/** The one REST API of the deployment. */
export function readApi(deployment: Deployment): Pick<GatewayOptions, 'definition' | 'api'> {
  const [api, ...moreApis] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stage, ...moreStages] = deployment.ofType('AWS::ApiGateway::Stage');
  if (api === undefined || stage === undefined || moreApis.length + moreStages.length > 0) {
    throw new Error('The local run serves exactly one REST API with one stage.');
  }
  const { StageName } = propertiesOf(stage, stageProperties);
  const identity = { apiId: api.ref, stage: StageName };
  const definition = readGatewayDefinition(api.properties()['Body']);
  refuseUninvokable(definition, identity, invokePermissions(deployment));
  return { definition, api: identity };
}
