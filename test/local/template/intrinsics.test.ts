// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are AWS's, in texts that AWS would fill.
import { noValue, resolve, type Scope } from '../../../infra/local/template/intrinsics.ts';

const scope: Scope = {
  ref: (name) => (name === 'AWS::NoValue' ? noValue : `ref-${name}`),
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
    [
      'Fn::Sub',
      { 'Fn::Sub': 'arn:${AWS::Region}:${Table.Arn}:${!literal}' },
      'arn:ref-AWS::Region:Table/Arn:${literal}',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${one}-${Two}', { one: { Ref: 'One' } }] }, 'ref-One-ref-Two'],
  ])('%s stands for its value', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it('is found at any depth, and AWS::NoValue leaves out what holds it', () => {
    const value = { a: [{ b: { Ref: 'B' } }, { Ref: 'AWS::NoValue' }], c: { Ref: 'AWS::NoValue' }, d: 1 };
    expect(resolve(value, scope)).toEqual({ a: [{ b: 'ref-B' }], d: 1 });
  });

  it.each([
    [{ 'Fn::FindInMap': ['a', 'b', 'c'] }, /Fn::FindInMap/],
    [{ 'Fn::Select': [2, ['a', 'b']] }, /Fn::Select requires a string/],
    [{ 'Fn::Join': ['', [{ list: true }]] }, /requires a string/],
    ['{{resolve:ssm:/name}}', /dynamic reference/],
  ])('that is not supported is refused by name: %j', (value, message) => {
    expect(() => resolve(value, scope)).toThrow(message);
  });
});
