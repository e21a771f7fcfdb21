import { filingStatuses } from '#domain/filings/resource.ts';
import { nextStatuses } from '#domain/filings/stored.ts';
import {
  isOpenRequest,
  type LicenseRequestStatus,
  licenseRequestStatuses,
  nextRequestStatuses,
} from '#domain/licensing/requests.ts';

describe('transitions', () => {
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
});

describe('the statuses of a license request', () => {
  it('lead from submitted to every other one, and none occurs twice', () => {
    const reached = new Set<LicenseRequestStatus>();
    const follow = (status: LicenseRequestStatus, before: readonly LicenseRequestStatus[]): void => {
      expect(before).not.toContain(status);
      reached.add(status);
      for (const next of nextRequestStatuses(status)) follow(next, [...before, status]);
    };
    follow('submitted', []);
    expect([...reached].sort()).toEqual([...licenseRequestStatuses].sort());
  });

  it('can be canceled from any open status, and from no final one', () => {
    for (const status of licenseRequestStatuses) {
      expect(nextRequestStatuses(status).includes('canceled')).toBe(isOpenRequest(status));
    }
    expect(licenseRequestStatuses.filter(isOpenRequest)).toEqual(['submitted', 'in review']);
  });
});
