import type { LicenseRequestStatus } from './license-request.ts';

/** The transitions of a license request from each status; a request never has a status twice. */
const transitions: Readonly<Record<LicenseRequestStatus, readonly LicenseRequestStatus[]>> = {
  submitted: ['in review', 'canceled'],
  'in review': ['approved', 'rejected', 'canceled'],
  approved: [],
  rejected: [],
  canceled: [],
};

export const nextRequestStatuses = (status: LicenseRequestStatus): readonly LicenseRequestStatus[] =>
  transitions[status];

/** Whether a request is still open, and so blocks others for the same license. */
export const isOpenRequest = (status: LicenseRequestStatus): boolean => transitions[status].length > 0;
