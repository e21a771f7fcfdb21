import { visibleItem, withChecklistItem } from '../../shared/domain/filings/checklist.ts';
import type { StoredFiling } from '../../shared/domain/filings/stored.ts';
import { ApiError } from '../../shared/platform/contract/errors.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { asFilingFile, changeFiling, type FilingDeps, unused } from './change-filing.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

/** A filing is one item of at most 400 KB; a file needs half a kilobyte of it. */
const mostAttachments = 500;

const attachmentCount = ({ checklist }: StoredFiling): number =>
  checklist.flatMap(({ items }) => items).reduce((sum, { attachments }) => sum + attachments.length, 0);

/**
 * Attaches uploaded files to a checklist item, all or none.
 * @throws ApiError `not_found` for a filing, item or file that the caller may not see or use; `validation_error`
 *   for files that are not uploaded; `unprocessable_entity` when the filing is full.
 */
export const attachFiles: Operation<typeof surplusLinesFilingRoutes.routes.attachFiles, FilingDeps> = (
  request,
  deps,
) => {
  const { fileDocumentIds, ...itemKey } = request.body;
  return changeFiling(request, deps, fileDocumentIds, ({ filing, filesOf }) => {
    const item = visibleItem(filing, itemKey);
    const added = unused(filesOf()).map((file) => ({ _id: newObjectId(request.now), ...asFilingFile(file) }));
    if (attachmentCount(filing) + added.length > mostAttachments) {
      throw new ApiError('unprocessable_entity', {
        message: `A checklist can have at most ${mostAttachments} files.`,
      });
    }
    const attachments = [...item.attachments, ...added];
    return { filing: withChecklistItem(filing, itemKey, { ...item, attachments }) };
  });
};
