import { CfnOutput, type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { Throttle } from '../capacity.ts';
import { type Domain, type Environment, resourceName } from '../environments.ts';
import { gatewayDefinition } from '../openapi/gateway-definition.ts';
import { routeGroups } from '../route-groups.ts';
import type { ApiFunction } from './api-function.ts';
import type { ServiceFunction } from './service-function.ts';

interface GatewayProps {
  readonly environment: Environment;
  readonly authorizer: ServiceFunction;
  /** One for each route group. */
  readonly functions: readonly ApiFunction[];
  /** The one of them that answers 404 to all that is no route. */
  readonly fallback: ApiFunction;
}

/** The REST API: its routes are those of the route tables. */
export class Gateway extends Construct {
  readonly api: apigateway.SpecRestApi;

  constructor(scope: Construct, id: string, props: GatewayProps) {
    super(scope, id);
    const { environment, authorizer, functions, fallback } = props;
    const { partition, region } = Stack.of(this);
    const name = resourceName(environment.name, 'api');
    const invocation = (version: string, target: ServiceFunction, call: string) =>
      `arn:${partition}:apigateway:${region}:lambda:path/${version}/functions/${target.lambda.functionArn}/${call}`;

    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: environment.logRetention,
      removalPolicy: environment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });

    this.api = new apigateway.SpecRestApi(this, 'Api', {
      apiDefinition: apigateway.ApiDefinition.fromInline(
        gatewayDefinition(routeGroups, {
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
      // API Gateway writes no log of any kind before the account has this role.
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

    if (environment.domain !== undefined) this.#answersAt(environment.domain);

    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The functions validate, with the same schemas that the OpenAPI document is made of.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason:
          "The role is the account's for all of its APIs; this is the policy that API Gateway asks for.",
      },
    );
    if (!environment.firewall) {
      Validations.of(this.api.deploymentStage).acknowledge({
        id: 'AwsSolutions-APIG3',
        reason: 'The environment is for development: it holds no customer data and asks for no firewall.',
      });
    }

    // A definition in OpenAPI grants nothing: each function says itself that this gateway may call it.
    const mayInvoke = (target: ServiceFunction, sourceArn: string) =>
      new CfnPermission(target, 'Gateway', {
        action: 'lambda:InvokeFunction',
        functionName: target.lambda.functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn,
      });
    for (const target of functions) {
      mayInvoke(target, this.api.arnForExecuteApi('*', '/*', environment.name));
    }
    mayInvoke(
      authorizer,
      Stack.of(this).formatArn({
        service: 'execute-api',
        resource: this.api.restApiId,
        resourceName: 'authorizers/*',
      }),
    );
  }

  /** Has the domain lead to the API, and prints where instead of the stage's own address, which answers no more. */
  #answersAt({ name, hostedZone }: Domain): void {
    const { domainName } = this.api;
    if (domainName === undefined) throw new Error(`The API has no domain ${name}.`);
    this.api.node.tryRemoveChild('Endpoint');
    const print = (id: string, value: string, description: string) =>
      new CfnOutput(this, id, { value, description });
    print('Address', `https://${name}`, 'Where callers reach the API.');
    print('DnsTarget', domainName.domainNameAliasDomainName, `What an alias record of ${name} points to.`);
    print(
      'DnsTargetZone',
      domainName.domainNameAliasHostedZoneId,
      'The hosted zone of that target, which Route 53 asks for.',
    );
    if (hostedZone === undefined) return;
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: hostedZone.id,
      zoneName: hostedZone.name,
    });
    new ARecord(this, 'Record', {
      zone,
      // With a dot at its end it is not put before the zone's name.
      recordName: `${name}.`,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domainName)),
    });
  }

  /** Share of requests answered with a 5xx; a single one or two among few requests are not yet a share. */
  faultPercentage(period: Duration): IMetric {
    const stage = this.api.deploymentStage;
    return new MathExpression({
      expression: 'IF(faults >= 3, 100 * faults / requests, 0)',
      label: 'Requests answered with 5xx, percent',
      usingMetrics: {
        faults: stage.metricServerError({ statistic: 'Sum', period }),
        requests: stage.metricCount({ statistic: 'SampleCount', period }),
      },
      period,
    });
  }
}

const logging = { loggingLevel: apigateway.MethodLoggingLevel.ERROR } as const;

/**
 * Each method's own bucket of requests. The stage's setting holds for whatever has none of its own, for each method by
 * itself: that is what is no route, of which nobody needs many. A setting of a method replaces the stage's as a whole.
 */
function methodOptions({ capacity: { throttles } }: Environment) {
  if (throttles === undefined) return logging;
  const admitted = ({ perSecond, burst }: Throttle) => ({
    ...logging,
    throttlingRateLimit: perSecond,
    throttlingBurstLimit: burst,
  });
  const routes = routeGroups.flatMap((group) => Object.values(group.routes));
  return {
    ...admitted(throttles.unknownRoutes),
    methodOptions: Object.fromEntries(
      routes.map(({ method, path, access, rate }) => [
        `${path}/${method}`,
        // A token exchange has no credential yet, and its own count.
        admitted(access === 'public' && rate === 'none' ? throttles.publicRoutes : throttles.routes),
      ]),
    ),
  };
}

/** One line per request, for the requests that reach no function; no header, no query, nothing of a body. */
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
    }),
  );
};
