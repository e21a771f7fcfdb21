import * as z from 'zod/mini';
import { deployedEnvironments, environments } from '../../infra/environments.ts';
import { firewallLogPrefix } from '../../shared/platform/aws/limits.ts';
import { accessRefusal, identity } from '../../shared/platform/identity/identity.ts';
import { synthesized } from './synthesized.ts';

const { service } = synthesized('prod');

const stage = z.object({ AccessLogSetting: z.object({ Format: z.string() }) });

describe('the access log', () => {
  const [[, { Properties }] = ['', { Properties: {} }]] = service.ofType('AWS::ApiGateway::Stage');
  const format = z.parse(
    z.record(z.string(), z.string()),
    JSON.parse(z.parse(stage, Properties).AccessLogSetting.Format),
  );

  it('says whose request it was, and what the authorizer decided', () => {
    expect(format).toMatchObject({
      organizationId: '$context.authorizer.organizationId',
      credentialId: '$context.authorizer.credentialId',
      refusal: '$context.authorizer.errorType',
      authorizerStatus: '$context.authorizer.status',
      userAgent: '$context.identity.userAgent',
    });
  });

  // A key that the authorizer does not pass on is a dash in every line.
  it('reads of the authorizer only what it passes on, and what API Gateway knows of it', () => {
    const ofGateway = ['status', 'latency'];
    const passedOn = [...Object.keys(identity.shape), ...Object.keys(accessRefusal.shape), ...ofGateway];
    const read = Array.from(
      JSON.stringify(format).matchAll(/\$context\.authorizer\.(\w+)/g),
      ([, key]) => key,
    );
    expect(read.length).toBeGreaterThan(3);
    expect(passedOn).toEqual(expect.arrayContaining(read));
  });

  // Only callers choose it, and API Gateway documents no escaping.
  it('has the user agent at the end of a line', () => {
    expect(Object.keys(format).at(-1)).toBe('userAgent');
  });

  it('has no query string, body, or header with a credential', () => {
    expect(JSON.stringify(format)).not.toMatch(
      /authorization|requestOverride|\$context\.path\b|\$input|apiKey/i,
    );
  });
});

// API Gateway would create the group itself, and nothing in it would ever expire.
it('API Gateway’s own log of executions expires as the others do, and is there before the stage', () => {
  const [[, found] = ['', undefined]] = service.ofType('AWS::ApiGateway::Stage');
  const [[id, group] = ['', undefined]] = service
    .ofType('AWS::Logs::LogGroup')
    .filter(([, { Properties }]) => JSON.stringify(Properties).includes('API-Gateway-Execution-Logs_'));
  const [[apiId] = ['']] = service.ofType('AWS::ApiGateway::RestApi');
  expect(group?.Properties).toMatchObject({
    LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: apiId }, '/prod']] },
    RetentionInDays: environments.prod.logRetention,
  });
  expect(found?.DependsOn).toContain(id);
});

const logging = z.object({
  LogDestinationConfigs: z.tuple([z.unknown()]),
  LoggingFilter: z.unknown(),
  RedactedFields: z.unknown(),
  ResourceArn: z.unknown(),
});

describe.each(deployedEnvironments.filter((name) => environments[name].firewall))(
  'the firewall of %s',
  (name) => {
    const stacks = synthesized(name);
    const [[, { Properties }] = ['', { Properties: {} }]] = stacks.service.ofType(
      'AWS::WAFv2::LoggingConfiguration',
    );
    const { LogDestinationConfigs, LoggingFilter, RedactedFields, ResourceArn } = z.parse(
      logging,
      Properties,
    );
    const [logs] = stacks.service
      .ofType('AWS::Logs::LogGroup')
      .filter(([, group]) =>
        JSON.stringify(group.Properties['LogGroupName'] ?? '').includes(`"${firewallLogPrefix}`),
      );
    const logsId = logs?.[0];

    it('logs what it blocks, and nothing else', () => {
      const [aclId] = stacks.service.ofType('AWS::WAFv2::WebACL').map(([id]) => id);
      expect(ResourceArn).toEqual({ 'Fn::GetAtt': [aclId, 'Arn'] });
      expect(LoggingFilter).toEqual({
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [{ ActionCondition: { Action: 'BLOCK' } }],
          },
        ],
      });
    });

    it('logs no credential', () => {
      expect(RedactedFields).toEqual(
        ['authorization', 'x-restricted-access-token'].map((Name) => ({ SingleHeader: { Name } })),
      );
    });

    it('writes to a log group that WAF accepts, which is kept as long as the others', () => {
      expect(logs?.[1].Properties['RetentionInDays']).toBe(environments[name].logRetention);
      const destination = JSON.stringify(LogDestinationConfigs);
      expect(destination).toContain(`:log-group:",{"Ref":"${logsId}"}]`);
      const policies = JSON.stringify(stacks.service.ofType('AWS::Logs::ResourcePolicy'));
      expect(policies).toContain('delivery.logs.amazonaws.com');
      expect(policies).toContain(logsId);
    });
  },
);
