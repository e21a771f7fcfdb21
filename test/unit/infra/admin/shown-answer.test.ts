import { shownAnswer } from '../../../../infra/admin/shown-answer.ts';

const organizations = [
  { organizationId: '65f0', name: 'Acme', features: ['policies', 'webhooks'], subscription: null },
  { organizationId: '65f1', name: 'Beacon\n\u001b[2J', features: [], planCeiling: 7 },
];

it('shows single values in two columns, and a list of objects as a table', () => {
  expect(shownAnswer({ revoked: true, details: { eins: ['1', '2'] }, organizations }, 120)).toBe(
    [
      'revoked       true',
      'details.eins  1, 2',
      '',
      'organizations:',
      'organizationId  name        features            subscription  planCeiling',
      '65f0            Acme        policies, webhooks',
      '65f1            Beacon [2J                                    7',
      '',
    ].join('\n'),
  );
});

it('shows a table that is wider than the terminal row by row', () => {
  expect(shownAnswer({ organizations: organizations.slice(0, 1) }, 30)).toBe(
    [
      'organizations:',
      'organizationId  65f0',
      'name            Acme',
      'features        policies, webhooks',
      'subscription',
      '',
    ].join('\n'),
  );
});

it('shows of an import what went in, what was found, and what was rejected and why, added up', () => {
  const bad = (line: number, value: string) => ({
    line,
    issues: [{ path: 'npn', column: 'NPN', value, message: 'must be 1 to 10 digits' }],
  });
  const note = { code: 'end_unmatched', message: 'The end is of none.', count: 1 };
  const answer = {
    imported: 3,
    importedByType: { agent: 2, 'policy-transaction': 1 },
    rejected: [bad(2, 'N/A'), bad(4, '8.90E+06'), bad(9, '8.90E+06')],
    rejectedOmitted: 5,
    ids: [{ line: 1, type: 'agent', _id: '65f0' }],
    notes: [
      { ...note, line: 1 },
      { ...note, line: 3 },
    ],
    matched: { agencies: 1, agents: 0, products: 0 },
    review: { agencies: 0, agents: 1, products: 0 },
    unmatched: { agencies: 0, agents: 0, products: 1 },
  };
  expect(shownAnswer(answer, 120)).toBe(
    [
      'imported                           3',
      'importedByType.agent               2',
      'importedByType.policy-transaction  1',
      'matched.agencies                   1',
      'matched.agents                     0',
      'matched.products                   0',
      'review.agencies                    0',
      'review.agents                      1',
      'review.products                    0',
      'unmatched.agencies                 0',
      'unmatched.agents                   0',
      'unmatched.products                 1',
      'rejectedLines                      8',
      '',
      'rejected:',
      'lines  first  field  value     reason',
      '2      4      NPN    8.90E+06  must be 1 to 10 digits',
      '1      2      NPN    N/A       must be 1 to 10 digits',
      '',
      'notes:',
      'lines  first  code           message',
      '2      1      end_unmatched  The end is of none.',
      '',
    ].join('\n'),
  );
});
