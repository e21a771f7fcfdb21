import { recordedDays } from '#domain/carrier-lists/resource.ts';
import {
  actionList,
  appointmentList,
  type CarrierList,
  type InState,
  licenseList,
  rowsOfCarrier,
} from '#domain/carrier-lists/rows.ts';
import { timeSince } from '#platform/contract/list-queries.ts';
import type { ComplianceOperation, Deps } from './function.ts';

type ListId = 'listLicenses' | 'listAppointments' | 'listRegulatoryActions';

/**
 * Answers a list, unless what was recorded since the time that is asked for is not known any more.
 * @throws ApiError `validation_error` for a time before that, or before a restore.
 */
const answerList =
  <Row extends InState, Key extends InState>(list: CarrierList<Row, Key>) =>
  ({ identity, query, now }: Parameters<ComplianceOperation<ListId>>[0], deps: Deps) => {
    const pages = rowsOfCarrier(list, deps, identity.organizationId, query, now);
    if (query.recordedSince === undefined) return pages;
    const since = timeSince('recordedSince', query.recordedSince, recordedDays, now);
    return deps.unlessRestored(since, pages, 'recordedSince');
  };

export const listLicenses: ComplianceOperation<'listLicenses'> = answerList(licenseList);

export const listAppointments: ComplianceOperation<'listAppointments'> = answerList(appointmentList);

export const listRegulatoryActions: ComplianceOperation<'listRegulatoryActions'> = answerList(actionList);
