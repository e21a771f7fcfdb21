import { filingStatuses } from '../../../../../shared/domain/filings/resource.ts';
import { nextStatuses } from '../../../../../shared/domain/filings/stored.ts';

const steps = filingStatuses.flatMap((status) => nextStatuses({ status }).map((to) => `${status} > ${to}`));

it('a filing advances one status at a time', () => {
  expect(steps).toEqual(
    expect.arrayContaining([
      'not started > in progress',
      'in progress > ready to file',
      'ready to file > filed',
      'filed > completed',
    ]),
  );
});

it.each(['not started', 'in progress', 'ready to file', 'filed'] as const)(
  'a filing that is %s goes on hold and back, and is canceled from either',
  (open) => {
    expect(steps).toEqual(expect.arrayContaining([`${open} > on hold`, `${open} > canceled`]));
    expect(nextStatuses({ status: 'on hold', heldFrom: open })).toEqual([open, 'canceled']);
  },
);

it('a filing that was imported on hold returns to any of them', () => {
  expect(nextStatuses({ status: 'on hold' })).toEqual([
    'not started',
    'in progress',
    'ready to file',
    'filed',
    'canceled',
  ]);
});

it('nothing else happens', () => {
  expect(steps).toHaveLength(4 + 4 * 3 + 1);
});
