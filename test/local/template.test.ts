// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are AWS's, in texts that AWS would fill.

import { refuseUnsupported } from '../../infra/local/template/synthesize.ts';
import { readTemplates, resolve, type Scope } from '../../infra/local/template/template.ts';

const scope: Scope = {
  ref: (name) => `ref-${name}`,
  attribute: (logicalId, name) => `${logicalId}/${name}`,
  importValue: (name) => `import-${name}`,
};

describe('an intrinsic function', () => {
  it.each([
    ['Ref', { Ref: 'Table' }, 'ref-Table'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table/Arn'],
    ['Fn::ImportValue', { 'Fn::ImportValue': 'data:Table' }, 'import-data:Table'],
    ['Fn::Join', { 'Fn::Join': ['/', ['a', { Ref: 'B' }, { 'Fn::GetAtt': ['C', 'Arn'] }]] }, 'a/ref-B/C/Arn'],
    ['Fn::Split and Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'Table'],
    ['Fn::Sub', { 'Fn::Sub': 'arn:${AWS::Region}:${Table}' }, 'arn:ref-AWS::Region:ref-Table'],
  ])('%s stands for its value', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it('is found at any depth', () => {
    expect(resolve({ a: [{ b: { Ref: 'B' } }], d: 1 }, scope)).toEqual({ a: [{ b: 'ref-B' }], d: 1 });
  });

  it.each([
    [{ 'Fn::FindInMap': ['a', 'b', 'c'] }, /Fn::FindInMap/],
    [{ 'Fn::Select': [2, ['a', 'b']] }, /Fn::Select requires a string/],
    ['{{resolve:ssm:/name}}', /dynamic reference/],
  ])('that is not supported is refused by name: %j', (value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});

const data = {
  Resources: {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'signing' } },
  },
  Outputs: { TableName: { Value: { Ref: 'Table' }, Export: { Name: 'data:table' } } },
};
const service = {
  Parameters: { BootstrapVersion: { Type: 'String', Default: '/cdk/version' } },
  Resources: {
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: { 'Fn::Join': ['-', ['policies', { Ref: 'AWS::Region' }]] },
        Environment: { TABLE: { 'Fn::ImportValue': 'data:table' }, VERSION: { Ref: 'BootstrapVersion' } },
      },
    },
    Permission: {
      Type: 'AWS::Lambda::Permission',
      Properties: { FunctionName: { 'Fn::GetAtt': ['Function', 'Arn'] } },
    },
  },
};

const context = { awsEndpoint: 'http://127.0.0.1:9' };

describe('templates read as one deployment', () => {
  it('resolve across stacks through exports, whichever stack comes first', () => {
    const deployment = readTemplates({ service, data }, context);
    const [target] = deployment.ofType('AWS::Lambda::Function');
    expect(target?.properties()).toEqual({
      FunctionName: 'policies-us-east-1',
      Environment: { TABLE: 'data-Table', VERSION: '/cdk/version' },
    });
  });

  it('give resources the names and ARNs that AWS would', () => {
    const deployment = readTemplates({ service, data }, context);
    const [permission] = deployment.ofType('AWS::Lambda::Permission');
    expect(permission?.properties()).toEqual({
      FunctionName: 'arn:aws:lambda:us-east-1:000000000000:function:policies-us-east-1',
    });
    expect(deployment.ofType('AWS::SecretsManager::Secret')[0]?.ref).toMatch(
      /^arn:aws:secretsmanager:us-east-1:000000000000:secret:signing-[A-Za-z0-9]{6}$/,
    );
  });

  it.each([
    ['a name that nothing has', { A: { Type: 'T', Properties: { x: { Ref: 'Missing' } } } }, /Missing/],
    [
      'an attribute that is not known',
      { A: { Type: 'AWS::IAM::Role', Properties: { x: { 'Fn::GetAtt': ['A', 'Colour'] } } } },
      /attribute Colour of AWS::IAM::Role/,
    ],
    [
      'an export that no stack has',
      { A: { Type: 'T', Properties: { x: { 'Fn::ImportValue': 'y' } } } },
      /exports y/,
    ],
    ['a condition', { A: { Type: 'T', Condition: 'IsProd' } }, /IsProd/],
  ])('refuse %s', (_, resources, message) => {
    expect(() =>
      readTemplates({ stack: { Resources: resources } }, context).resources.map((resource) =>
        resource.properties(),
      ),
    ).toThrow(message);
  });

  it('stop the start when a resource would have to run and cannot, and name it', () => {
    const { resources } = readTemplates(
      {
        stack: {
          Resources: {
            Alarm: { Type: 'AWS::CloudWatch::Alarm' },
            Machine: { Type: 'AWS::StepFunctions::StateMachine' },
          },
        },
      },
      context,
    );
    expect(() => refuseUnsupported(resources)).toThrow(
      /support AWS::StepFunctions::StateMachine \(stack\/Machine\): see/,
    );
  });
});
