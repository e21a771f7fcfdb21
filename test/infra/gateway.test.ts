import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { derivedFile } from '#platform/config/context.ts';
import { errorBody } from '#platform/contract/docs.ts';
import { challenge, commonHeaders } from '#platform/contract/responses.ts';
import { accessMap as accessMapSchema } from '../../functions/authorizer/authenticate.ts';
import { writeDerivedFiles } from '../../infra/build/derive.ts';
import { type EnvironmentName, environments, stackParts } from '../../infra/environments.ts';
import { accessMap, functionUses, routeGroupsOf } from '../../infra/function-uses.ts';
import { gatewayResponses } from '../../infra/openapi/gateway-definition.ts';
import { invoked } from './invoked.ts';
import { synthesized } from './synthesized.ts';
import { filledIn } from './variants.ts';

const { service } = synthesized('prod');

const operation = z.object({
  security: z.optional(z.array(z.unknown())),
  'x-amazon-apigateway-integration': z.object({
    type: z.literal('aws_proxy'),
    httpMethod: z.literal('POST'),
    responseTransferMode: z.literal('STREAM'),
    timeoutInMillis: z.number(),
    uri: z.unknown(),
  }),
});
const variables = z.object({ Variables: z.object({ SANDBOX: z.optional(z.string()) }) });
const definition = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ securitySchemes: z.record(z.string(), z.unknown()) }),
});

const [api] = service.ofType('AWS::ApiGateway::RestApi');
const { paths, components } = z.parse(definition, api?.[1].Properties['Body']);

const aliasIdOf = (name: string) =>
  service
    .ofType('AWS::Lambda::Alias')
    .find(([id]) => invoked(service, { Ref: id }).called === `${name}:live`)?.[0];
const streamOf = (name: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':apigateway:',
      { Ref: 'AWS::Region' },
      ':lambda:path/2021-11-15/functions/',
      { Ref: aliasIdOf(name) },
      '/response-streaming-invocations',
    ],
  ],
});
const routeGroups = routeGroupsOf(environments.prod);
const routes = routeGroups.flatMap((group) =>
  Object.values(group.routes).map((route) => ({ ...route, group: group.name })),
);
const anyMethod = 'x-amazon-apigateway-any-method';

test.each(routes)('$method $path is streamed by $group, behind the authorizer unless public', (route) => {
  const deployed = paths[route.path]?.[route.method.toLowerCase()];
  expect(deployed?.['x-amazon-apigateway-integration'].uri).toEqual(streamOf(route.group));
  expect(deployed?.security).toEqual(route.access === 'public' ? undefined : [{ authorizer: [] }]);
  expect(deployed?.['x-amazon-apigateway-integration'].timeoutInMillis).toBe(
    'all' in route.answer || /policy-(compliance|sales)-summary$/.test(route.path) ? 300_000 : 29_000,
  );
});

test('the gateway has the routes of the tables and no other', () => {
  const deployed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== anyMethod)
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(deployed.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('every other method and every other path is answered by not-found, with or without a credential', () => {
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/', '/{proxy+}']));
  for (const methods of Object.values(paths)) {
    expect(methods[anyMethod]?.['x-amazon-apigateway-integration'].uri).toEqual(streamOf('not-found'));
    expect(methods[anyMethod]?.security).toBeUndefined();
  }
});

test('the gateway caches no answer of the authorizer', () => {
  expect(components.securitySchemes['authorizer']).toMatchObject({
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': { type: 'request', authorizerResultTtlInSeconds: 0 },
  });
  expect(JSON.stringify(components.securitySchemes)).toContain(
    JSON.stringify({ Ref: aliasIdOf('authorizer') }),
  );
});

test('the gateway may invoke the live version of the authorizer, of every group’s function, and of not-found', () => {
  const invocable = service
    .ofType('AWS::Lambda::Permission')
    .filter(([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com')
    .map(([, { Properties }]) => invoked(service, Properties['FunctionName']).called);
  const called = ['authorizer', 'not-found', ...routeGroups.map(({ name }) => name)];
  expect(invocable.sort()).toEqual(called.map((name) => `${name}:live`).sort());
});

test('the access map names every route that needs a credential, and the authorizer can read it', () => {
  const map = z.parse(accessMapSchema, JSON.parse(JSON.stringify(accessMap(routeGroups))));
  const guarded = routes.filter(({ access }) => access !== 'public');
  expect(Object.keys(map).sort()).toEqual(guarded.map(({ method, path }) => `${method} ${path}`).sort());
  expect(map['GET /v2/upstream/policies']).toEqual({ kind: 'upstream', feature: 'policies' });
});

/** What the build derives from the routes, with those of the sandbox and without. */
async function derived() {
  const folder = mkdtempSync(join(tmpdir(), 'derived-'));
  await writeDerivedFiles(folder);
  const read = (name: string, sandbox: 'yes' | 'no'): unknown =>
    JSON.parse(readFileSync(join(folder, derivedFile(name, sandbox)), 'utf8'));
  const both = (name: string) => ({ yes: read(name, 'yes'), no: read(name, 'no') });
  const files = { accessMaps: both('authorizer/access-map'), documents: both('auth/openapi') };
  rmSync(folder, { recursive: true });
  return files;
}

describe('routes of the sandbox', () => {
  const ofSandbox = [...functionUses].flatMap(([name, uses]) => (uses.sandbox === true ? [name] : []));
  const environmentNames = Object.keys(environments) as EnvironmentName[];

  test.each(environmentNames)('are in %s where it says so, with a simulated registry', (name) => {
    const { sandbox, registry } = environments[name];
    const deployed = synthesized(name).service;
    const functions = deployed.ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties);
    const named = functions.map(({ FunctionName }) =>
      String(FunctionName).replace(`insurance-compliance-${name}-`, ''),
    );
    expect(named.filter((one) => ofSandbox.includes(one))).toEqual(sandbox ? ofSandbox : []);
    const body = deployed.ofType('AWS::ApiGateway::RestApi')[0]?.[1].Properties['Body'];
    expect(JSON.stringify(body).includes('/v2/sandbox/')).toBe(sandbox);
    const told = functions.flatMap(({ Environment }) => {
      const { SANDBOX } = z.parse(variables, Environment).Variables;
      return SANDBOX === undefined ? [] : [SANDBOX];
    });
    expect(new Set(told)).toEqual(new Set([sandbox ? 'yes' : 'no']));
    if (sandbox) expect(registry).toEqual({ kind: 'simulated' });
  });

  test('are not in prod, whose access map and document know nothing of them', async () => {
    expect(environments.prod.sandbox).toBe(false);
    for (const { yes, no } of Object.values(await derived())) {
      const named = [yes, no].map((one) => /\/v2\/sandbox\/|Rehearse a lapse/.test(JSON.stringify(one)));
      expect(named).toEqual([true, false]);
    }
  });
});

describe('responses of the gateway itself', () => {
  const gatewayResponse = z.object({
    statusCode: z.string(),
    responseParameters: z.record(z.string(), z.string()),
    responseTemplates: z.object({ 'application/json': z.string() }),
  });
  // The one deviation: the gateway itself cannot write a time as ISO 8601.
  const isoTime = '2026-03-01T14:05:09.123Z';
  const responses = Object.entries(gatewayResponses('prod')).map(([type, response]) => {
    const { statusCode, responseParameters, responseTemplates } = z.parse(gatewayResponse, response);
    const text = responseTemplates['application/json'].replace(
      /\$context\.(authorizer\.timestamp|requestTime\b)/,
      isoTime,
    );
    const body: unknown = JSON.parse(text);
    return { type, statusCode, responseParameters, body };
  });
  const byType = Object.fromEntries(responses.map((response) => [response.type, response]));

  test.each(responses)('$type has the error shape', ({ type, body, statusCode }) => {
    const { requestId } = z.parse(errorBody, body);
    expect(body).toMatchObject({ statusCode: Number(statusCode) });
    expect(requestId).toBe(
      type === 'ACCESS_DENIED' ? '$context.authorizer.requestId' : 'prod-$context.requestId',
    );
  });

  test.each(responses)('$type has the headers of every response', ({ statusCode, responseParameters }) => {
    const headers = { ...commonHeaders, ...(statusCode === '401' ? { 'www-authenticate': challenge } : {}) };
    expect(responseParameters).toMatchObject({
      'gatewayresponse.header.x-request-id': 'context.requestId',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
      ),
    });
  });

  // An import with a mapping that API Gateway does not know is refused, and with it the whole deployment.
  // The request's id is not documented as a source, but other deployed APIs map it; nothing else of the context is mapped.
  test('headers are mapped from a documented source, a value of the request or a literal, or from its id', () => {
    const sources = responses.flatMap(({ responseParameters }) => Object.values(responseParameters));
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources)
      expect(source).toMatch(/^('[^']*'|context\.requestId|method\.request\..+)$/);
  });

  // What the authorizer denies is a request without a valid credential; what a caller may not do, the function refuses.
  test('ACCESS_DENIED is a 401 with the time of the authorizer', () => {
    expect(byType['ACCESS_DENIED']).toMatchObject({
      statusCode: '401',
      body: { errorType: 'unauthorized', timestamp: isoTime },
    });
  });

  test.each([
    ['UNAUTHORIZED', '401', 'unauthorized'],
    ['REQUEST_TOO_LARGE', '413', 'validation_error'],
    ['THROTTLED', '429', 'throttled'],
    ['QUOTA_EXCEEDED', '429', 'throttled'],
    ['WAF_FILTERED', '403', 'forbidden'],
    ['INTEGRATION_TIMEOUT', '504', 'gateway_timeout'],
    ['INTEGRATION_FAILURE', '500', 'internal_server_error'],
    ['AUTHORIZER_FAILURE', '503', 'service_unavailable'],
    ['AUTHORIZER_CONFIGURATION_ERROR', '500', 'internal_server_error'],
    ['DEFAULT_4XX', '400', 'validation_error'],
    ['DEFAULT_5XX', '500', 'internal_server_error'],
  ])('%s is a %s %s', (type, statusCode, errorType) => {
    expect(byType[type]).toMatchObject({ statusCode, body: { errorType } });
  });

  test.each(['THROTTLED', 'QUOTA_EXCEEDED', 'AUTHORIZER_FAILURE'])('%s says when to retry', (type) => {
    expect(byType[type]?.responseParameters).toMatchObject({ 'gatewayresponse.header.retry-after': "'1'" });
  });
});

test.each([
  ['dev', 0],
  ['sandbox', 1],
  ['prod', 1],
] as const)('%s has %s firewalls in front of the gateway', (environment, count) => {
  const firewall = synthesized(environment).service;
  expect(firewall.ofType('AWS::WAFv2::WebACL')).toHaveLength(count);
  expect(firewall.ofType('AWS::WAFv2::WebACLAssociation')).toHaveLength(count);
});

describe('an environment with a domain', () => {
  const { domain } = filledIn;
  const withRecord = synthesized('filledIn').service;
  const one = (type: string) => withRecord.ofType(type)[0]?.[1].Properties;
  const domainId = withRecord.ofType('AWS::ApiGateway::DomainName')[0]?.[0];
  const attribute = (name: string) => ({ 'Fn::GetAtt': [domainId, name] });

  test('can be reached only through the domain', () => {
    expect(one('AWS::ApiGateway::RestApi')).toMatchObject({ DisableExecuteApiEndpoint: true });
    expect(one('AWS::ApiGateway::DomainName')).toMatchObject({
      DomainName: domain.name,
      RegionalCertificateArn: domain.certificateArn,
    });
    expect(one('AWS::ApiGateway::BasePathMapping')).toMatchObject({ Stage: { Ref: expect.any(String) } });
  });

  test('outputs the domain and the target of its record, but not the disabled address', () => {
    expect(Object.values(withRecord.outputs).map(({ Value }) => Value)).toEqual(
      expect.arrayContaining([
        `https://${domain.name}`,
        attribute('RegionalDomainName'),
        attribute('RegionalHostedZoneId'),
      ]),
    );
    expect(JSON.stringify(withRecord.outputs)).not.toContain('execute-api');
    expect(JSON.stringify(service.outputs)).toContain('.execute-api.');
  });
});

test('an environment is deployed to the account and region in its entry', () => {
  const { account, region } = filledIn;
  const stacks = synthesized('filledIn');
  for (const part of stackParts) expect(stacks[part]).toMatchObject({ account, region });
});
