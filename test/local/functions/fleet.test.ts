import { environmentBytes } from '#platform/aws/limits.ts';
import { lambdaService } from '../../../infra/local/aws/lambda-service.ts';
import { createFleet, deployedFunction, type Fleet } from '../../../infra/local/functions/fleet.ts';
import { nextLink } from '../../../infra/local/functions/worker-messages.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a call through the API of Lambda', () => {
  const awsEndpoint = 'http://127.0.0.1:1';
  const arn = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

  const Role = { Type: 'AWS::IAM::Role', Properties: {} };
  const functionNamed = (FunctionName: string) => ({
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName,
      Handler: 'index.handler',
      Runtime: 'nodejs24.x',
      Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
      Timeout: 1,
      MemorySize: 128,
      Code: { S3Bucket: 'assets', S3Key: 'abc.zip' },
    },
  });
  const Version = { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Policies' } } };
  const alias = {
    FunctionName: { Ref: 'Policies' },
    FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] },
    Name: 'live',
  };

  const inLogs = temporaryFolder('fleet-');

  const stopping: Fleet[] = [];
  afterEach(async () => {
    await Promise.all(stopping.splice(0).map((one) => one.stop()));
  });

  /** `policies` with a version and an alias, and `admin` with neither. */
  function fleetOf(properties: object = alias): Fleet {
    const Resources = {
      Role,
      Policies: functionNamed('policies'),
      Admin: functionNamed('admin'),
      Version,
      Alias: { Type: 'AWS::Lambda::Alias', Properties: properties },
    };
    const assets = new Map([['abc', '/bundles']]);
    const deployment = readTemplates({ service: { Resources } }, { awsEndpoint, assets });
    const onError = () => undefined;
    const fleet = createFleet(deployment, { awsEndpoint, bootstrap: '', logDirectory: inLogs(), onError });
    stopping.push(fleet);
    return fleet;
  }

  it.each(['policies', 'policies:live', 'policies:1'])('%s is found by its name and its ARN', (name) => {
    const fleet = fleetOf();
    for (const one of [name, arn(name)]) expect(fleet.memberOf(one).name).toBe('policies');
  });

  it.each(['nobody', 'policies:old', 'policies:2', 'policies:$LATEST', 'admin:live', arn('admin:1')])(
    '%s, which is not in the templates, does not exist',
    (name) => expect(() => fleetOf().memberOf(name)).toThrow(`no function ${name}`),
  );

  it('code with a published version runs as that version', () => {
    const versionOf = (name: string) =>
      fleetOf().named(name).settings.environment['AWS_LAMBDA_FUNCTION_VERSION'];
    expect([versionOf('policies'), versionOf('admin')]).toEqual(['1', '$LATEST']);
  });

  it.each([
    ['a second version with a weight', { RoutingConfig: { AdditionalVersionWeights: [] } }],
    ['a version that is not published', { FunctionVersion: '2' }],
  ])('an alias with %s stops the start', (_, more) => {
    expect(() => fleetOf({ ...alias, ...more })).toThrow('does not support AWS::Lambda::Alias Alias');
  });

  const accessesOf = (path: string) =>
    lambdaService(fleetOf().all).accesses({
      method: 'POST',
      url: new URL(`${awsEndpoint}/2015-03-31/functions/${path}`),
      headers: {},
      body: Buffer.alloc(0),
    });

  it.each([
    ['policies/invocations', 'policies'],
    ['policies/invocations?Qualifier=live', 'policies:live'],
    [`${encodeURIComponent(arn('policies:live'))}/invocations`, 'policies:live'],
  ])('%s needs the permission for %s', (path, name) => {
    expect(accessesOf(path)).toEqual([{ action: 'lambda:InvokeFunction', resource: arn(name) }]);
  });

  it('of an alias that does not exist is refused', () => {
    expect(() => accessesOf('policies/invocations?Qualifier=old')).toThrow('Function not found');
  });
});

const properties = {
  FunctionName: 'insurance-compliance-local-policies',
  Handler: 'index.handler',
  Runtime: 'nodejs24.x',
  Role: 'arn:aws:iam::000000000000:role/policies',
  Timeout: 900,
  MemorySize: 1_024,
  Code: { S3Bucket: 'assets', S3Key: 'abc.zip' },
};

function deployed(more: object) {
  const Policies = { Type: 'AWS::Lambda::Function', Properties: { ...properties, ...more } };
  const deployment = readTemplates(
    { service: { Resources: { Policies } } },
    { awsEndpoint: 'http://127.0.0.1:1', assets: new Map([['abc', '/bundles/policies']]) },
  );
  const [resource] = deployment.resources;
  if (resource === undefined) throw new Error('The template has one function.');
  return deployedFunction(resource, deployment, { endpoint: 'http://127.0.0.1:1', accessKeyId: 'KEY' });
}

/** Variables that are so many bytes of JSON: `{"LONG":"aaa"}`. */
const variables = (bytes: number) => ({
  Environment: { Variables: { LONG: 'a'.repeat(bytes - JSON.stringify({ LONG: '' }).length) } },
});

describe('a function of the template', () => {
  it('stops recursive loops unless it allows them', () => {
    expect(deployed({}).settings.recursiveLoop).toBe('Terminate');
    expect(deployed({ RecursiveLoop: 'Allow' }).settings.recursiveLoop).toBe('Allow');
  });

  it('may have 4 KB of variables, and run for 15 minutes', () => {
    expect(deployed(variables(environmentBytes)).settings.timeoutMs).toBe(900_000);
  });

  it.each([
    ['more variables than 4 KB', variables(environmentBytes + 1), 'The variables exceed 4096 bytes'],
    ['a timeout of more than 15 minutes', { Timeout: 901 }, 'Timeout'],
    ['a property that is not understood', { SnapStart: {} }, 'Policies'],
  ])('with %s stops the start', (_, more, told) => {
    expect(() => deployed(more)).toThrow('does not support AWS::Lambda::Function Policies');
    expect(() => deployed(more)).toThrow(told);
  });
});

describe('trace header', () => {
  const first = 'arn:aws:lambda:us-east-1:000000000000:function:first';
  const second = 'arn:aws:lambda:us-east-1:000000000000:function:second';

  it('a chain starts with an invocation without a message', () => {
    const { invocations, traceHeader } = nextLink(first, []);
    expect(invocations).toBe(1);
    expect(traceHeader).toMatch(/^Lineage=[0-9a-f]{8}:1$/);
  });

  it('each function is counted separately along the chain', () => {
    const one = nextLink(first, []);
    const other = nextLink(second, [one.traceHeader]);
    expect(other.invocations).toBe(1);
    const back = nextLink(first, [other.traceHeader]);
    expect(back.invocations).toBe(2);
    expect(nextLink(second, [back.traceHeader]).invocations).toBe(2);
  });

  it('a batch counts as the longest chain in it, function by function', () => {
    const long = nextLink(first, [nextLink(first, [nextLink(first, []).traceHeader]).traceHeader]);
    const crossed = nextLink(second, [nextLink(first, []).traceHeader]);
    const together = [crossed.traceHeader, long.traceHeader, 'Root=1-5759e988-bd862e3fe1be46a994272793'];
    expect(nextLink(first, together).invocations).toBe(4);
    expect(nextLink(second, together).invocations).toBe(2);
  });
});
