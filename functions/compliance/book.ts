import { appointmentsDue } from '../../shared/domain/policy-compliance/appointments-due.ts';
import type { BookSources } from '../../shared/domain/policy-compliance/book.ts';
import { rowsOfBook } from '../../shared/domain/policy-compliance/rows.ts';
import { summaryOf } from '../../shared/domain/policy-compliance/summary.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { complianceRoutes } from './routes.ts';

type Routes = typeof complianceRoutes.routes;

/**
 * Whether each of the caller's policies may be serviced, streamed agency by agency.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const listPolicyComplianceStatuses: Operation<Routes['listPolicyComplianceStatuses'], BookSources> = (
  { identity, query, now },
  sources,
) => rowsOfBook(sources, identity.organizationId, query, now);

/**
 * The number and the premium of the caller's policies by verdict, state, and product: the rows of the list, added up.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const getPolicyComplianceSummary: Operation<Routes['getPolicyComplianceSummary'], BookSources> = (
  { identity, query, now },
  sources,
) => summaryOf(rowsOfBook(sources, identity.organizationId, query, now));

/** Whom the caller is to appoint for policies that it bound, streamed agency by agency. */
export const listAppointmentsDue: Operation<Routes['listAppointmentsDue'], BookSources> = (
  { identity, now },
  sources,
) => appointmentsDue(sources, identity.organizationId, now);
