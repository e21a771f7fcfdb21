import { CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type AccessRefusal, type Identity, rateOf } from '#platform/contract/route.ts';
import type { Throttle } from '../capacity.ts';
import { type Domain, type Environment, resourceName } from '../environments.ts';
import { logGroupName, routeGroupsOf } from '../function-uses.ts';
import { gatewayDefinition } from '../openapi/gateway-definition.ts';
import { removalOf } from './resource.ts';
import type { ApiFunction, ServiceFunction } from './service-function.ts';

interface GatewayProps {
  readonly environment: Environment;
  readonly authorizer: ServiceFunction;
  /** Functions of the route groups, and one without routes, which responds with 404 to all other paths and methods. */
  readonly functions: readonly ApiFunction[];
}

/** The REST API with the routes of the route tables. */
export class Gateway extends Construct {
  readonly api: apigateway.SpecRestApi;
  /** Address of the API, without a slash at its end. */
  readonly address: string;

  constructor(scope: Construct, id: string, props: GatewayProps) {
    super(scope, id);
    const { environment, authorizer, functions } = props;
    const fallback = functions.find(({ group }) => Object.keys(group.routes).length === 0);
    if (fallback === undefined) throw new Error('No function responds to unknown paths.');
    const { partition, region } = Stack.of(this);
    const name = resourceName(environment.name, 'api');
    const invocation = (version: string, target: ServiceFunction, call: string) =>
      `arn:${partition}:apigateway:${region}:lambda:path/${version}/functions/${target.invoked.functionArn}/${call}`;

    const accessLogs = new LogGroup(this, 'AccessLogs', {
      logGroupName: logGroupName.accessLog(environment.name),
      retention: environment.logRetention,
      removalPolicy: removalOf(environment),
    });

    this.api = new apigateway.SpecRestApi(this, 'Api', {
      apiDefinition: apigateway.ApiDefinition.fromInline(
        gatewayDefinition(routeGroupsOf(environment), {
          name,
          environment: environment.name,
          stream: (groupName) => {
            const target = functions.find(({ group }) => group.name === groupName);
            if (target === undefined) throw new Error(`The route group "${groupName}" has no function.`);
            return invocation('2021-11-15', target, 'response-streaming-invocations');
          },
          fallback: fallback.group.name,
          authorizer: invocation('2015-03-31', authorizer, 'invocations'),
        }),
      ),
      restApiName: name,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // So that the stage can be pointed at the routes of before: CloudFormation changes them last, when CodeDeploy is done.
      retainDeployments: environment.keepsData,
      // API Gateway cannot write logs until the account has this role.
      cloudWatchRole: true,
      deployOptions: {
        stageName: environment.name,
        tracingEnabled: true,
        ...methodOptions(environment),
        accessLogDestination: new apigateway.LogGroupLogDestination(accessLogs),
        accessLogFormat: accessLogFormat(environment),
      },
      ...(environment.domain === undefined
        ? {}
        : {
            disableExecuteApiEndpoint: true,
            domainName: {
              domainName: environment.domain.name,
              certificate: Certificate.fromCertificateArn(
                this,
                'Certificate',
                environment.domain.certificateArn,
              ),
              endpointType: apigateway.EndpointType.REGIONAL,
              securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
            },
          }),
    });

    const executionLogs = new LogGroup(this, 'ExecutionLogs', {
      logGroupName: logGroupName.executionLog(this.api.restApiId, environment.name),
      retention: environment.logRetention,
      removalPolicy: removalOf(environment),
    });
    this.api.deploymentStage.node.addDependency(executionLogs);

    const { domain, address } = environment;
    this.address = domain === undefined ? (address ?? stageAddress(this.api)) : `https://${domain.name}`;
    if (domain !== undefined) this.#addDomain(domain);

    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate requests, with the schemas that the OpenAPI document is generated from.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: "The account's role for all of its APIs; this is the policy that API Gateway requires.",
      },
    );
    if (!environment.firewall) {
      Validations.of(this.api.deploymentStage).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason: 'The environment is for development and has no customer data.',
      });
    }

    // The OpenAPI definition grants no permissions: each function needs a permission for this gateway.
    const mayInvoke = (target: ServiceFunction, sourceArn: string) =>
      new CfnPermission(target, 'Gateway', {
        action: 'lambda:InvokeFunction',
        functionName: target.invoked.functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn,
      });
    const permissions = functions.map((target) =>
      mayInvoke(target, this.api.arnForExecuteApi('*', '/*', environment.name)),
    );
    const ofAuthorizer = mayInvoke(
      authorizer,
      Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.api.restApiId,
        resourceName: 'authorizers/*',
      }),
    );
    // Routes change last: when every function serves its new version, and the gateway may call it.
    const aliases = functions.flatMap(({ alias }) => alias ?? []);
    this.api.latestDeployment?.node.addDependency(...aliases, ...permissions, ofAuthorizer);
    // The callers of a new version were let in by the new authorizer.
    for (const alias of aliases) alias.node.addDependency(authorizer.invoked);
  }

  /** Sets up the custom domain. Its outputs replace the stage's address, which is disabled. */
  #addDomain({ name }: Domain): void {
    const { domainName } = this.api;
    if (domainName === undefined) throw new Error(`The API has no domain ${name}.`);
    this.api.node.tryRemoveChild('Endpoint');
    const print = (id: string, value: string, description: string) =>
      new CfnOutput(this, id, { value, description });
    print('Address', this.address, 'Where callers reach the API.');
    print('DnsTarget', domainName.domainNameAliasDomainName, `What an alias record of ${name} points to.`);
    print(
      'DnsTargetZone',
      domainName.domainNameAliasHostedZoneId,
      'The hosted zone of that target, which Route 53 requires.',
    );
  }
}

/** API Gateway's own address of the stage. */
const stageAddress = ({ restApiId, deploymentStage, stack: { region, urlSuffix } }: apigateway.SpecRestApi) =>
  `https://${restApiId}.execute-api.${region}.${urlSuffix}/${deploymentStage.stageName}`;

const logging = { loggingLevel: apigateway.MethodLoggingLevel.ERROR } as const;

/**
 * The stage's throttle is that of routes, and methods without a credential have their own, which replaces the stage's
 * completely. API Gateway refuses a stage with a setting for each route (`patchOperations`), and a setting for ANY, by which
 * the definition has unknown paths. So `/` and wrong methods of known paths are throttled as routes are.
 */
function methodOptions(environment: Environment) {
  const { throttles } = environment.capacity;
  if (throttles === undefined) return logging;
  const throttlingOf = ({ perSecond, burst }: Throttle) => ({
    ...logging,
    throttlingRateLimit: perSecond,
    throttlingBurstLimit: burst,
  });
  const routes = routeGroupsOf(environment).flatMap((group) => Object.values(group.routes));
  // The token exchange has no credential either, but has its own rate limit.
  const publicRoutes = routes.filter((route) => route.access === 'public' && rateOf(route) === 'none');
  return {
    ...throttlingOf(throttles.routes),
    methodOptions: Object.fromEntries([
      ...publicRoutes.map(({ path, method }) => [`${path}/${method}`, throttlingOf(throttles.publicRoutes)]),
      ...apigateway.Cors.ALL_METHODS.map((method) => [
        `/{proxy+}/${method}`,
        throttlingOf(throttles.unknownRoutes),
      ]),
    ]),
  };
}

/** A value that the authorizer passes on; `-` in the log if there is none. */
const authorizerField = (key: keyof Identity | keyof AccessRefusal): string =>
  apigateway.AccessLogField.contextAuthorizer(key);

/**
 * Access log with a line per request, also for requests that reach no function. No query strings or bodies, and of the headers only the
 * user agent, which is what tells the jobs of one organization apart. The caller chooses it: it is last, so that a quote in
 * it can't change another field.
 */
const accessLogFormat = (environment: Environment): apigateway.AccessLogFormat => {
  const field = apigateway.AccessLogField;
  return apigateway.AccessLogFormat.custom(
    JSON.stringify({
      requestId: `${environment.name}-${field.contextRequestId()}`,
      requestTime: field.contextRequestTime(),
      method: field.contextHttpMethod(),
      route: field.contextResourcePath(),
      status: field.contextStatus(),
      responseType: '$context.error.responseType',
      responseLength: field.contextResponseLength(),
      responseLatency: field.contextResponseLatency(),
      integrationLatency: field.contextIntegrationLatency(),
      authorizerLatency: field.contextAuthorizerLatency(),
      sourceIp: field.contextIdentitySourceIp(),
      // What the authorizer found: neither without a valid credential, a refusal for one that may not make the request.
      organizationId: authorizerField('organizationId'),
      credentialId: authorizerField('credentialId'),
      refusal: authorizerField('errorType'),
      authorizerStatus: '$context.authorizer.status',
      userAgent: field.contextIdentityUserAgent(),
    }),
  );
};
