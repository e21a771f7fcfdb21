import { filingStatuses } from '../../../../../shared/domain/filings/resource.ts';
import { nextStatuses } from '../../../../../shared/domain/filings/transitions.ts';

const steps = filingStatuses.flatMap((from) => nextStatuses(from).map((to) => `${from} > ${to}`));

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

it.each(['not started', 'in progress', 'ready to file', 'filed'])(
  'a filing that is %s goes on hold and back, and is canceled from either',
  (open) => {
    expect(steps).toEqual(
      expect.arrayContaining([
        `${open} > on hold`,
        `on hold > ${open}`,
        `${open} > canceled`,
        'on hold > canceled',
      ]),
    );
  },
);

it('nothing else happens', () => {
  expect(steps).toHaveLength(4 + 4 * 3 + 1);
});
