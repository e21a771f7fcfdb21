import { prunable } from '../../shared/domain/decision/prune.ts';
import {
  appointment,
  appointmentImport,
  license,
  licenseImport,
  licenseList,
  line,
  notFound,
  terminated,
} from './case-rows.ts';
import type { CaseCommand, LicenseRow } from './commands.ts';
import { recordedBy } from './histories.ts';

// What of the history of a license or an appointment goes on 2046-03-01, and so must have been recorded before 2026-03-01.

const gone = (commands: readonly CaseCommand[], at = '2046-03-01T00:00:00.000Z') => {
  const { licenses, appointments, closings } = prunable(recordedBy(commands), at);
  const daysOf = (all: readonly { readonly commandAt: string }[]): string[] =>
    all.map(({ commandAt }) => commandAt.slice(0, 10));
  return { facts: daysOf([...licenses, ...appointments]), lists: daysOf(closings) };
};

/** Lists in which a license is renewed each time. */
const [first, second, third, last] = [
  licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' })),
  licenseList('2026-01-20', license({ nextRenewalDate: '2027-01-31' })),
  licenseList('2026-02-10', license({ nextRenewalDate: '2027-02-28' })),
  licenseList('2026-03-10', license({ nextRenewalDate: '2027-03-31' })),
];

/** The second list, with a license that it states otherwise, and more licenses. */
const withSecond = (
  fields: Partial<LicenseRow>,
  ...others: readonly LicenseRow[]
): readonly CaseCommand[] => [
  first,
  licenseList('2026-01-20', license({ nextRenewalDate: '2027-01-31', ...fields }), ...others),
  third,
  last,
];

const nothing: ReturnType<typeof gone> = { facts: [], lists: [] };

it('keeps what was recorded first and what is in force at the end of the years, and lets go what is between, with its list', () => {
  expect(gone([first, second, third, last])).toEqual({ facts: ['2026-01-20'], lists: ['2026-01-20'] });
  expect(gone([first, second, third])).toEqual({ facts: ['2026-01-20'], lists: ['2026-01-20'] });
  expect(gone([first, second])).toEqual(nothing);
});

it('keeps what is not older than twenty years', () => {
  expect(gone([first, second, third, last], '2046-01-20T15:00:00.000Z')).toEqual(nothing);
  expect(gone([first, second, third, last], '2046-02-10T15:00:00.000Z')).toEqual(nothing);
  expect(gone([first, second, third, last], '2046-02-10T15:00:00.001Z').facts).toEqual(['2026-01-20']);
  expect(gone([first, { ...second, recordedAt: '2026-03-01T00:00:00.000Z' }, third, last]).facts).toEqual([]);
});

it('keeps a command of which a part was written later', () => {
  const imported = (at: string, nextRenewalDate: string): CaseCommand =>
    licenseImport(at, { nextRenewalDate });
  const parts = [imported('2026-01-20', '2027-01-31'), imported('2026-01-20', '2027-02-28')] as const;
  const written = (recordedAt: string) =>
    gone([
      imported('2026-01-10', '2026-12-31'),
      parts[0],
      { ...parts[1], recordedAt },
      imported('2026-02-10', '2027-03-31'),
    ]).facts;
  expect(written('2026-02-28T00:00:00.000Z')).toEqual(['2026-01-20', '2026-01-20']);
  expect(written('2026-03-01T00:00:00.000Z')).toEqual([]);
});

const former = { issueDate: '2020-03-01', nextRenewalDate: '2025-02-28' };

it.each<[string, readonly CaseCommand[]]>([
  ['is not live', withSecond({ status: 'inactive' })],
  ['has a class name that the next does not have', withSecond({ licenseClassName: 'Insurance Producer' })],
  ['has a line that the next does not have', withSecond({ linesOfAuthority: [line('16')] })],
  ['stands beside a term that is not live', withSecond({}, license({ ...former, status: 'Expired' }))],
  [
    'stands beside a row of its day without a class code',
    withSecond({}, license({ licenseClassCode: null })),
  ],
  [
    'was stated by an import',
    [first, licenseImport('2026-01-20', { nextRenewalDate: '2027-01-31' }), third, last],
  ],
  [
    'speaks from another day',
    [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-20', { nextRenewalDate: '2027-01-31', validFrom: '2026-01-15' }),
      licenseImport('2026-01-30', { nextRenewalDate: '2027-02-28', validFrom: '2025-03-01' }),
      licenseImport('2026-02-10', { nextRenewalDate: '2027-03-31', validFrom: '2025-03-01' }),
    ],
  ],
  [
    'is followed by what speaks from another day',
    [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport('2026-01-20', { nextRenewalDate: '2027-01-31' }),
      licenseImport('2026-02-10', { nextRenewalDate: '2027-03-31', validFrom: '2026-02-01' }),
    ],
  ],
  [
    'speaks from several days',
    [
      licenseImport('2026-01-10', { nextRenewalDate: '2026-12-31' }),
      licenseImport(
        '2026-01-20',
        { nextRenewalDate: '2027-01-31' },
        { nextRenewalDate: '2028-01-31', validFrom: '2027-02-01' },
      ),
      licenseImport('2026-02-10', { nextRenewalDate: '2027-03-31' }),
    ],
  ],
  [
    'is an end of an appointment',
    [
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-01-20', terminated({ statusChangeDate: '2025-03-01' })),
      appointmentImport('2026-02-10', appointment({ renewalDate: '2027-03-31' })),
    ],
  ],
  [
    'has another name of the company',
    [
      appointmentImport('2026-01-10', appointment()),
      appointmentImport('2026-01-20', appointment({ carrierName: 'Beacon' })),
      appointmentImport('2026-02-10', appointment({ renewalDate: '2027-03-31' })),
    ],
  ],
])('keeps what %s', (_what, commands) => {
  expect(gone(commands).facts).toEqual([]);
});

it('lets go what stands beside another live term, and a change of a live appointment', () => {
  const beside = withSecond({}, license({ ...former, nextRenewalDate: '2026-02-28' }));
  expect(gone(beside).facts).toEqual(['2026-01-20']);
  expect(
    gone(
      ['2026-01-10', '2026-01-20', '2026-02-10'].map((on) =>
        appointmentImport(on, appointment({ renewalDate: `2027${on.slice(4)}` })),
      ),
    ).facts,
  ).toEqual(['2026-01-20']);
});

it('keeps the last list, and those that are not older, though they say nothing new', () => {
  const again = (at: string): CaseCommand => ({ ...first, at: `${at}T15:00:00.000Z` });
  expect(gone([first, notFound('2026-01-15'), again('2026-01-20')])).toEqual(nothing);
  const [late, later] = [again('2026-03-05'), again('2026-03-08')];
  expect(gone([first, notFound('2026-01-15'), late, notFound('2026-03-06'), later])).toEqual(nothing);
  const early = again('2026-01-20');
  expect(gone([first, notFound('2026-01-15'), early, notFound('2026-03-06'), later])).toEqual({
    facts: [],
    lists: ['2026-01-20'],
  });
});

it('keeps the list by which something came or went, whatever became of other states', () => {
  const elsewhere = license({ stateCode: 'CA' });
  const lists = gone([
    licenseList('2026-01-10', license({ nextRenewalDate: '2026-12-31' }), elsewhere),
    licenseList('2026-01-20', license({ nextRenewalDate: '2027-01-31' })),
    licenseList('2026-01-30', license({ nextRenewalDate: '2027-02-28' })),
    last,
  ]);
  expect(lists).toEqual({ facts: ['2026-01-20'], lists: ['2026-01-20'] });
});
