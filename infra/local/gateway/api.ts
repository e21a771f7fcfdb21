import * as z from 'zod/mini';
import { type Deployment, propertiesOf } from '../template/template.ts';
import { readGatewayDefinition } from './definition.ts';
import type { GatewayOptions } from './gateway.ts';
import { invokePermissions, refuseUninvokable } from './invoke-permissions.ts';
import { createThrottle, methodSettings } from './throttle.ts';

/** Supported properties of a stage; others are refused because they may change responses. */
const stageProperties = z.strictObject({
  StageName: z.string(),
  MethodSettings: methodSettings,
  // References to its API, and logging.
  RestApiId: z.unknown(),
  DeploymentId: z.unknown(),
  AccessLogSetting: z.optional(z.unknown()),
  TracingEnabled: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
});

/** The one REST API of the deployment. */
export function readApi(deployment: Deployment): Pick<GatewayOptions, 'definition' | 'api' | 'admits'> {
  const [api, ...moreApis] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stage, ...moreStages] = deployment.ofType('AWS::ApiGateway::Stage');
  if (api === undefined || stage === undefined || moreApis.length + moreStages.length > 0) {
    throw new Error('The local run serves exactly one REST API with one stage.');
  }
  const { StageName, MethodSettings } = propertiesOf(stage, stageProperties);
  const identity = { apiId: api.ref, stage: StageName };
  const definition = readGatewayDefinition(api.properties()['Body']);
  refuseUninvokable(definition, identity, invokePermissions(deployment));
  return { definition, api: identity, admits: createThrottle(MethodSettings) };
}
