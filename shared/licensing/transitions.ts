import type { LicenseRequestStatus } from '../resources/license-request.ts';

/** Where a license request may go from each status; no status is ever taken twice. */
const transitions: Readonly<Record<LicenseRequestStatus, readonly LicenseRequestStatus[]>> = {
  submitted: ['in review', 'cancelled'],
  'in review': ['approved', 'rejected', 'cancelled'],
  approved: [],
  rejected: [],
  cancelled: [],
};

export const nextRequestStatuses = (status: LicenseRequestStatus): readonly LicenseRequestStatus[] =>
  transitions[status];

/** Whether a request still waits for its end, and so keeps others for the same license out. */
export const isOpenRequest = (status: LicenseRequestStatus): boolean => transitions[status].length > 0;
