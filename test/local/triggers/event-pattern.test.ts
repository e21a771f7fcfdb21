import { readEventPattern } from '../../../infra/local/triggers/event-pattern.ts';

const event = {
  source: 'insurance-compliance',
  'detail-type': 'AGENT_CREATED',
  detail: { count: 3, note: null, tags: ['a', 'b'], lines: [{ code: 'x' }, { code: 'y' }], name: 'file.pdf' },
};

describe('an event pattern matches', () => {
  it.each<[string, object, boolean]>([
    ['an exact value', { source: ['insurance-compliance'] }, true],
    ['one of several values', { 'detail-type': ['AGENT_UPDATED', 'AGENT_CREATED'] }, true],
    ['no other value', { source: ['insurance'] }, false],
    [
      'every member that it names',
      { source: ['insurance-compliance'], 'detail-type': ['AGENT_UPDATED'] },
      false,
    ],
    ['null', { detail: { note: [null] } }, true],
    ['a number, but not its text', { detail: { count: ['3'] } }, false],
    ['one element of a list', { detail: { tags: ['b'] } }, true],
    ['one object of a list', { detail: { lines: { code: ['y'] } } }, true],
    ['a beginning', { source: [{ prefix: 'insurance-' }] }, true],
    ['no other beginning', { source: [{ prefix: 'aws.' }] }, false],
    ['no number by its beginning', { detail: { count: [{ prefix: '3' }] } }, false],
    ['no object as a value', { detail: ['file.pdf'] }, false],
    ['a value that exists', { detail: { count: [{ exists: true }] } }, true],
    ['one of a member that is missing, as absent', { missing: { S: [{ exists: false }] } }, true],
    ['nothing that has to exist', { detail: { missing: [{ exists: true }] } }, false],
    ['nothing that must not exist', { detail: { count: [{ exists: false }] } }, false],
  ])('%s', (_, pattern, matched) => {
    expect(readEventPattern(pattern)(event)).toBe(matched);
  });
});

it.each([
  ['$or', { $or: [{ source: ['a'] }, { source: ['b'] }] }],
  ['wildcard', { source: [{ wildcard: 'a*' }] }],
  ['cidr', { source: [{ cidr: '10.0.0.0/8' }] }],
  ['a prefix without regard to case', { source: [{ prefix: { 'equals-ignore-case': 'a' } }] }],
  ['suffix', { source: [{ suffix: 'a' }] }],
  ['numeric', { source: [{ numeric: ['>', 1] }] }],
  ['anything-but', { source: [{ 'anything-but': 'a' }] }],
  ['no value', { source: [] }],
  ['a value outside of a list', { source: 'a' }],
])('a pattern with %s is refused, since it would be evaluated otherwise', (_, pattern) => {
  expect(() => readEventPattern(pattern)).toThrow();
});
