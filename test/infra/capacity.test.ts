import * as z from 'zod/mini';
import { reconciliationHour, sweepHour } from '#function/uses.ts';
import {
  accountConcurrency,
  gatewayBurst,
  gatewayRequestsPerSecond,
  rateRuleWindows,
  unreservedConcurrency,
} from '#platform/aws/limits.ts';
import { errorBody } from '#platform/contract/docs.ts';
import { commonHeaders } from '#platform/contract/responses.ts';
import { isList } from '#platform/contract/route.ts';
import { longestOpenSeconds } from '#platform/request/rate-limit.ts';
import { pollsAtOnce } from '../../functions/registry-reconciliation/reconcile.ts';
import {
  type DeployedEnvironmentName,
  deployedEnvironments,
  environments,
} from '../../infra/environments.ts';
import { functionLimit, functionUses, routeGroupsOf } from '../../infra/function-uses.ts';
import { synthesized } from './synthesized.ts';

const routeGroups = routeGroupsOf(environments.prod);
const service = (environment: DeployedEnvironmentName) => synthesized(environment).service;
const prod = service('prod');

/** Executions that a template reserves, by function. */
const reservedIn = (environment: DeployedEnvironmentName, stack = service(environment)) =>
  Object.fromEntries(
    stack
      .ofType('AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties)
      .filter(({ ReservedConcurrentExecutions }) => ReservedConcurrentExecutions !== undefined)
      .map(({ FunctionName, ReservedConcurrentExecutions }) => [
        String(FunctionName).replace(`insurance-compliance-${environment}-`, ''),
        ReservedConcurrentExecutions,
      ]),
  );

describe('executions', () => {
  const listing = routeGroups.filter(({ routes }) => Object.values(routes).some(isList));

  test('are reserved for the authorizer, for the token exchange, and apart from it for what is no route', () => {
    expect(reservedIn('prod', prod)).toMatchObject({
      authorizer: expect.any(Number),
      auth: expect.any(Number),
      'not-found': expect.any(Number),
    });
  });

  test.each(listing)('of $name, which has lists, are limited, and an organization has a third', (group) => {
    const { [group.name]: executions } = environments.prod.capacity.reserved;
    expect(group.openLists).toBe(Math.floor(Number(executions) / 3));
    expect(functionUses.get(group.name)?.tables).toHaveProperty('rateCounters');
    expect(functionLimit(group).toSeconds()).toBe(longestOpenSeconds);
  });

  test('are reserved for existing functions, as the environment says', () => {
    expect(reservedIn('prod', prod)).toEqual(environments.prod.capacity.reserved);
  });

  test('leave enough for the workers in a standard account, and the 100 that must stay unreserved', () => {
    const reserved = z.parse(z.record(z.string(), z.number()), reservedIn('prod', prod));
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    const workers = sum(Object.values(environments.prod.capacity.workers));
    expect(sum(Object.values(reserved)) + workers + unreservedConcurrency).toBeLessThanOrEqual(
      accountConcurrency,
    );
  });

  test('are not reserved in dev, whose account may have none to reserve', () => {
    expect(reservedIn('dev')).toEqual({});
  });
});

test('every queue has the number of workers in the environment', () => {
  const mapping = z.object({
    EventSourceArn: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
    ScalingConfig: z.object({ MaximumConcurrency: z.number() }),
  });
  const workers = prod.ofType('AWS::Lambda::EventSourceMapping').flatMap(([, { Properties }]) => {
    const parsed = z.safeParse(mapping, Properties);
    if (!parsed.success) return [];
    const { EventSourceArn, ScalingConfig } = parsed.data;
    const queue = prod.all[EventSourceArn['Fn::GetAtt'][0]]?.Properties['QueueName'];
    return [[String(queue).replace('insurance-compliance-prod-', ''), ScalingConfig.MaximumConcurrency]];
  });
  const { 'sandbox-nightly-run': _ofSandbox, ...ofProd } = environments.prod.capacity.workers;
  expect(Object.fromEntries(workers)).toEqual(ofProd);
});

test('in prod the calls of a night are made between the reconciliation and the sweep, where one takes three seconds', () => {
  const { mostCallsANight = 0, capacity } = environments.prod;
  const hours = (mostCallsANight * 3) / (capacity.workers['registry-reconciliation'] * pollsAtOnce) / 3_600;
  expect(hours).toBeGreaterThan(0);
  expect(hours).toBeLessThan(24 - reconciliationHour + sweepHour);
});

describe('throttles of the stage', () => {
  const stage = z.object({
    MethodSettings: z.array(
      z.object({
        HttpMethod: z.string(),
        ResourcePath: z.string(),
        LoggingLevel: z.literal('ERROR'),
        ThrottlingRateLimit: z.number(),
        ThrottlingBurstLimit: z.number(),
      }),
    ),
  });
  const settings = z.parse(stage, prod.ofType('AWS::ApiGateway::Stage')[0]?.[1].Properties).MethodSettings;
  const settingOf = (method: string, path: string) =>
    settings.find(
      ({ HttpMethod, ResourcePath }) =>
        HttpMethod === method && ResourcePath === `/${path.replaceAll('/', '~1')}`,
    ) ?? settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === '*' && ResourcePath === '/*');
  const routes = routeGroups.flatMap((group) => Object.values(group.routes));

  test.each(routes)(
    '$method $path has its own bucket, far above what a well-behaved client needs',
    ({ method, path }) => {
      const { ThrottlingRateLimit = 0, ThrottlingBurstLimit = 0 } = settingOf(method, path) ?? {};
      expect(ThrottlingRateLimit).toBeGreaterThanOrEqual(100);
      // So that it takes no more than a part of what the account has for all of them.
      expect(ThrottlingRateLimit).toBeLessThanOrEqual(gatewayRequestsPerSecond / 5);
      expect(ThrottlingBurstLimit).toBeLessThanOrEqual(gatewayBurst / 5);
      expect(ThrottlingBurstLimit).toBeGreaterThanOrEqual(100);
    },
  );

  const verbs = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
  test.each(verbs)('unknown paths have a low one for %s', (verb) => {
    const low = { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 };
    expect(settingOf(verb, '/{proxy+}')).toMatchObject(low);
  });

  // API Gateway refuses ANY as it refuses what does not exist, although CloudFormation's change set accepts both.
  test('are set for methods that API Gateway knows, of paths that the gateway has', () => {
    const methods = routes.map(({ method, path }) => `${method} /${path.replaceAll('/', '~1')}`);
    const known = [...methods, ...verbs.map((verb) => `${verb} /~1{proxy+}`), '* /*'];
    const set = settings.map(({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath}`);
    expect(set.filter((one) => !known.includes(one))).toEqual([]);
  });

  test('a stranger’s requests to the token exchange’s function are fewer than its executions serve', () => {
    const heartbeat = settingOf('GET', '/v2/heartbeat')?.ThrottlingRateLimit;
    expect(heartbeat).toBeLessThan(settingOf('POST', '/v2/auth/jwt')?.ThrottlingRateLimit ?? 0);
  });

  test.each(deployedEnvironments)('are set in %s', (environment) => {
    expect(environments[environment].capacity.throttles).toBeDefined();
  });
});

describe('the firewall', () => {
  const aclSchema = z.object({
    CustomResponseBodies: z.record(z.string(), z.object({ ContentType: z.string(), Content: z.string() })),
    DataProtectionConfig: z.unknown(),
    VisibilityConfig: z.object({ SampledRequestsEnabled: z.boolean() }),
    Rules: z.array(
      z.looseObject({
        Name: z.string(),
        VisibilityConfig: z.object({ SampledRequestsEnabled: z.boolean() }),
        Statement: z.unknown(),
        Action: z.optional(
          z.object({
            Block: z.object({
              CustomResponse: z.object({
                ResponseCode: z.number(),
                CustomResponseBodyKey: z.string(),
                ResponseHeaders: z.array(z.object({ Name: z.string(), Value: z.string() })),
              }),
            }),
          }),
        ),
      }),
    ),
  });
  const acl = z.parse(aclSchema, prod.ofType('AWS::WAFv2::WebACL')[0]?.[1].Properties);
  const rule = acl.Rules.find(({ Name }) => Name === 'requests-per-address');

  test('counts by address, far above what a well-behaved client needs', () => {
    expect(rule?.Statement).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', Limit: 300_000, EvaluationWindowSec: 300 },
    });
  });

  test('counts over a window that WAF supports', () => {
    const statement = z.object({ RateBasedStatement: z.object({ EvaluationWindowSec: z.number() }) });
    expect(rateRuleWindows).toContain(
      z.parse(statement, rule?.Statement).RateBasedStatement.EvaluationWindowSec,
    );
  });

  test('answers a flood with 429 in the error shape', () => {
    const response = rule?.Action?.Block.CustomResponse;
    const { ContentType, Content } = acl.CustomResponseBodies[response?.CustomResponseBodyKey ?? ''] ?? {};
    expect(response?.ResponseCode).toBe(429);
    const headers = { ...commonHeaders, 'retry-after': '60' };
    expect(response?.ResponseHeaders).toEqual(
      expect.arrayContaining(Object.entries(headers).map(([Name, Value]) => ({ Name, Value }))),
    );
    expect(ContentType).toBe('APPLICATION_JSON');
    // The one deviation: a text that is the same for everybody has no time.
    const body: unknown = JSON.parse(
      Content?.replace('see the header date', '2026-03-01T14:05:09.123Z') ?? '',
    );
    expect(z.parse(errorBody, body)).toMatchObject({
      statusCode: 429,
      errorType: 'rate_limit_exceeded',
      requestId: 'prod-firewall',
    });
  });

  test('samples blocked requests without their credentials and query strings', () => {
    for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
      expect(VisibilityConfig.SampledRequestsEnabled).toBe(true);
    }
    expect(acl.DataProtectionConfig).toEqual({
      DataProtections: [
        {
          Action: 'SUBSTITUTION',
          Field: { FieldType: 'SINGLE_HEADER', FieldKeys: ['authorization', 'x-restricted-access-token'] },
        },
        { Action: 'SUBSTITUTION', Field: { FieldType: 'QUERY_STRING' } },
        { Action: 'SUBSTITUTION', Field: { FieldType: 'BODY' } },
      ],
    });
  });
});
