import { noSuchItem, visibleItem, withChecklistItem } from '../../shared/domain/filings/checklist.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { asFilingFile, changeFiling, unused } from './change-filing.ts';
import type { FilingOperation } from './function.ts';

/**
 * Attaches uploaded files to a checklist item, all or none.
 * @throws ApiError `not_found` for a filing, item or file that the caller may not see or use; `validation_error`
 *   for files that are not uploaded; `conflict` when the filing is full.
 */
export const attachFilingFiles: FilingOperation<'attachFilingFiles'> = (request, deps) => {
  const { sourceCategoryId, sourceTaskId, fileDocumentIds } = request.body;
  const itemKey = { sourceCategoryId, sourceTaskId };
  return changeFiling(request, deps, fileDocumentIds, ({ filing, filesOf }) => {
    const item = visibleItem(filing, itemKey);
    const added = unused(filesOf()).map((file) => ({ _id: newObjectId(request.now), ...asFilingFile(file) }));
    const attachments = [...item.attachments, ...added];
    return { filing: withChecklistItem(filing, itemKey, { ...item, attachments }) };
  });
};

const pathOfFile = () => 'fileDocumentId';

/**
 * Sets the policy document; a repeat with the one already set changes nothing.
 * @throws ApiError `not_found` for a filing or file that the caller may not see or use; `validation_error` for a
 *   file that is not uploaded.
 */
export const replaceFilingPolicyDocument: FilingOperation<'replaceFilingPolicyDocument'> = (
  request,
  deps,
) => {
  const { fileDocumentId } = request.body;
  return changeFiling(
    request,
    deps,
    [fileDocumentId],
    ({ filing, filesOf }) => {
      const files = filesOf();
      if (filing.policyDocument?.fileDocumentId === fileDocumentId) return 'unchanged';
      const [policyDocument = null] = unused(files, pathOfFile).map(asFilingFile);
      return { filing: { ...filing, policyDocument } };
    },
    pathOfFile,
  );
};

/**
 * Adds the customer's message to an open escalation, which then waits for the service (OpenAPI, "createFilingEscalationMessage").
 *
 * @throws ApiError `not_found` for a filing, item, escalation or file that the caller may not see or use;
 *   `validation_error` for an item without an escalation, a resolved escalation, and files that are not uploaded.
 */
export const createFilingEscalationMessage: FilingOperation<'createFilingEscalationMessage'> = (
  request,
  deps,
) => {
  const { sourceCategoryId, sourceTaskId, body = '', fileDocumentIds = [] } = request.body;
  const itemKey = { sourceCategoryId, sourceTaskId };
  return changeFiling(request, deps, fileDocumentIds, ({ filing, filesOf }) => {
    const item = visibleItem(filing, itemKey);
    const { escalation } = item;
    if (escalation?.category === 'private') throw noSuchItem();
    if (escalation === null) throw invalidAt('sourceTaskId', 'has no escalation');
    if (escalation.status === 'resolved') {
      throw invalidAt('sourceTaskId', 'has an escalation that is already resolved');
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
