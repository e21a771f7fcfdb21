import { deployedFunction } from '../../../infra/local/functions/deployed-functions.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import { environmentBytes } from '../../../shared/platform/aws/limits.ts';

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
    ['a way with loops that does not exist', { RecursiveLoop: 'Sometimes' }, 'RecursiveLoop'],
  ])('with %s stops the start', (_, more, told) => {
    expect(() => deployed(more)).toThrow('does not support AWS::Lambda::Function Policies');
    expect(() => deployed(more)).toThrow(told);
  });
});
