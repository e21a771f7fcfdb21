import { noSuchItem, visibleItem, withChecklistItem } from '../../shared/domain/filings/checklist.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { asFilingFile, changeFiling, type FilingDeps, unused } from './change-filing.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

/**
 * Adds the customer's message to an open escalation, which then waits for the service (OpenAPI, "replyToEscalation").
 *
 * @throws ApiError `not_found` for a filing, item, escalation or file that the caller may not see or use;
 *   `validation_error` for an item without an escalation, a resolved escalation, and files that are not uploaded.
 */
export const replyToEscalation: Operation<
  typeof surplusLinesFilingRoutes.routes.replyToEscalation,
  FilingDeps
> = (request, deps) => {
  const { sourceCategoryId, sourceTaskId, body = '', fileDocumentIds = [] } = request.body;
  const itemKey = { sourceCategoryId, sourceTaskId };
  return changeFiling(request, deps, fileDocumentIds, ({ filing, filesOf }) => {
    const item = visibleItem(filing, itemKey);
    const { escalation } = item;
    if (escalation?.category === 'private') throw noSuchItem();
    if (escalation === null) throw invalid({ path: 'sourceTaskId', message: 'has no escalation' });
    if (escalation.status === 'resolved') {
      throw invalid({ path: 'sourceTaskId', message: 'has an escalation that is already resolved' });
    }
    const attachments = unused(filesOf()).map((file) => ({
      _id: newObjectId(request.now),
      ...asFilingFile(file),
    }));
    const message = {
      _id: newObjectId(request.now),
      ...itemKey,
      authorType: 'customer' as const,
      body: body.trim() === '' ? null : body,
      attachments,
      sentAt: request.now.toISOString(),
    };
    const answered = { ...item, escalation: { ...escalation, status: 'waiting service input' as const } };
    return { filing: withChecklistItem(filing, itemKey, answered), messages: [message] };
  });
};
