// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are AWS's, in texts that AWS would fill.
import { resolve, type Scope } from '../../../infra/local/template/intrinsics.ts';

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
    [{ 'Fn::Sub': ['${one}', { one: { Ref: 'One' } }] }, /Fn::Sub requires a string/],
    [{ 'Fn::Select': [2, ['a', 'b']] }, /Fn::Select requires a string/],
    [{ 'Fn::Join': ['', [{ list: true }]] }, /requires a string/],
    ['{{resolve:ssm:/name}}', /dynamic reference/],
  ])('that is not supported is refused by name: %j', (value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});
