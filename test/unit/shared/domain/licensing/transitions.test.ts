import {
  type LicenseRequestStatus,
  licenseRequestStatuses,
} from '../../../../../shared/domain/licensing/license-request.ts';
import { isOpenRequest, nextRequestStatuses } from '../../../../../shared/domain/licensing/requests.ts';

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
