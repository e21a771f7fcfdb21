import type { Operation } from '../../shared/platform/request/operation.ts';
import { asFilingFile, changeFiling, type FilingDeps, unused } from './change-filing.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

const pathOfFile = () => 'fileDocumentId';

/**
 * Sets the policy document; a repeat with the one already set changes nothing.
 * @throws ApiError `not_found` for a filing or file that the caller may not see or use; `validation_error` for a
 *   file that is not uploaded.
 */
export const setPolicyDocument: Operation<
  typeof surplusLinesFilingRoutes.routes.setPolicyDocument,
  FilingDeps
> = (request, deps) => {
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
