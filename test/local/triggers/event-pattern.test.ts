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
    ['an end', { detail: { name: [{ suffix: '.pdf' }] } }, true],
    ['what is there', { detail: { note: [{ exists: true }] } }, true],
    ['what is not there', { detail: { absent: [{ exists: false }] } }, true],
    ['what is within nothing that is there', { absent: { within: [{ exists: false }] } }, true],
    ['what is not there, asked for', { detail: { absent: [{ exists: true }] } }, false],
    ['no object as a value', { detail: [{ exists: true }] }, false],
    ['an equal number', { detail: { count: [{ numeric: ['=', 3] }] } }, true],
    ['a range', { detail: { count: [{ numeric: ['>', 0, '<=', 3] }] } }, true],
    ['not beyond a range', { detail: { count: [{ numeric: ['>', 3] }] } }, false],
    ['no text as a number', { source: [{ numeric: ['>', 0] }] }, false],
    ['anything but a value', { source: [{ 'anything-but': 'aws.s3' }] }, true],
    [
      'nothing of a list that is excluded',
      { source: [{ 'anything-but': ['insurance-compliance', 'x'] }] },
      false,
    ],
    ['nothing absent by exclusion', { detail: { absent: [{ 'anything-but': 'x' }] } }, false],
  ])('%s', (_, pattern, matched) => {
    expect(readEventPattern(pattern)(event)).toBe(matched);
  });
});

it.each([
  ['$or', { $or: [{ source: ['a'] }, { source: ['b'] }] }],
  ['wildcard', { source: [{ wildcard: 'a*' }] }],
  ['cidr', { source: [{ cidr: '10.0.0.0/8' }] }],
  ['a prefix without regard to case', { source: [{ prefix: { 'equals-ignore-case': 'a' } }] }],
  ['a comparison that does not exist', { source: [{ numeric: ['!', 1] }] }],
  ['no value', { source: [] }],
  ['a value outside of a list', { source: 'a' }],
])('a pattern with %s is refused, since it would be evaluated otherwise', (_, pattern) => {
  expect(() => readEventPattern(pattern)).toThrow();
});
