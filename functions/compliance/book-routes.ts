import {
  appointmentDue,
  bookQuery,
  bookRow,
  bookSummary,
} from '../../shared/domain/policy-compliance/resource.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

export const listPolicyComplianceStatuses = {
  method: 'GET',
  path: '/v2/upstream/policy-compliance-statuses',
  access,
  query: bookQuery,
  answer: { status: 200, all: bookRow },
} as const satisfies Route;

export const getPolicyComplianceSummary = {
  ...listPolicyComplianceStatuses,
  path: '/v2/upstream/policy-compliance-summary',
  answer: { status: 200, one: bookSummary },
  isLong: true,
} as const satisfies Route;

export const listAppointmentsDue = {
  method: 'GET',
  path: '/v2/upstream/appointments-due',
  access,
  answer: { status: 200, all: appointmentDue },
} as const satisfies Route;
