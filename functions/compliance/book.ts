import { appointmentsDue } from '../../shared/domain/policy-compliance/appointments-due.ts';
import { rowsOfBook } from '../../shared/domain/policy-compliance/rows.ts';
import { rowsOfSales } from '../../shared/domain/policy-compliance/sales.ts';
import { summaryOf, summaryOfSales } from '../../shared/domain/policy-compliance/summary.ts';
import type { ComplianceOperation } from './function.ts';

/**
 * Whether each of the caller's policies may be serviced, streamed agency by agency.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const listPolicyComplianceStatuses: ComplianceOperation<'listPolicyComplianceStatuses'> = (
  { identity, query, now },
  sources,
) => rowsOfBook(sources, identity.organizationId, query, now);

/**
 * The number and the premium of the caller's policies by verdict, state, and product: the rows of the list, added up.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const getPolicyComplianceSummary: ComplianceOperation<'getPolicyComplianceSummary'> = (
  { identity, query, now },
  sources,
) => summaryOf(rowsOfBook(sources, identity.organizationId, query, now));

/**
 * Whether each of the caller's sales could be made by those who made it, streamed agency by agency.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const listPolicySales: ComplianceOperation<'listPolicySales'> = ({ identity, query, now }, sources) =>
  rowsOfSales(sources, identity.organizationId, query, now);

/**
 * The number and the premium of the caller's sales by verdict, state, product, and year: the rows of the list, added up.
 * @throws ApiError `validation_error` as `momentOf`.
 */
export const getPolicySalesSummary: ComplianceOperation<'getPolicySalesSummary'> = (
  { identity, query, now },
  sources,
) => summaryOfSales(rowsOfSales(sources, identity.organizationId, query, now));

/** Whom the caller is to appoint for what it bound, or appointed late, streamed agency by agency. */
export const listAppointmentsDue: ComplianceOperation<'listAppointmentsDue'> = (
  { identity, query, now },
  sources,
) => appointmentsDue(sources, identity.organizationId, query.dueStatus, now);
