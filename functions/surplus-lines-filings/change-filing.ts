import {
  type AttachableFile,
  type FilePath,
  fileListPath,
  noSuchFiles,
  usedFile,
} from '#domain/file-documents/attachable.ts';
import type { FilingChange } from '#domain/filings/store.ts';
import { nextStatuses, type StoredFiling, type StoredMessage } from '#domain/filings/stored.ts';
import {
  type Filing,
  type FoundFiling,
  filingView,
  noSuchItem,
  visibleItem,
  withChecklistItem,
} from '#domain/filings/view.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';
import { type ApiRequest, operationsOf } from '#platform/request/endpoint.ts';
import { type FilingSources, linkFiles, ownFiling, personaOf } from './lists.ts';
import { surplusLinesFilingRoutes } from './routes.ts';

/** The parts of the request that every write of a filing needs. */
type Write = Pick<
  ApiRequest<typeof surplusLinesFilingRoutes.routes.createFilingEscalationMessage>,
  'params' | 'identity' | 'now' | 'recordResponse'
>;

/** A filing and the caller's files, as they are when the change is decided. */
interface FilingToChange extends FoundFiling {
  /** The files; throws if one cannot be used. It is called last, so that the filing's own errors come first. */
  filesOf(): readonly AttachableFile[];
}

/**
 * The only way in which customers change a filing: filing and files are read concurrently, the change is decided, and
 * the filing, its messages, the files' use and the recorded response are written in one transaction, which an agency's
 * organization can only make while the agency belongs to it. When another writer comes between, all of it is done again.
 *
 * @param fileDocumentIds files that the change attaches; a file can be on one filing only.
 * @param decide returns the changed filing, or `unchanged`; what it throws refuses the request.
 * @param pathOfFile where the request names the file at that index, when not in `fileDocumentIds`.
 * @throws ApiError `not_found` for a filing or file that is not the caller's; what `decide` throws; DomainError `state_conflict` for
 *   the change of a filing whose status is final; TransactionContention.
 */
const changeFiling = (
  { params: { filingId }, identity, now, recordResponse }: Write,
  { filings, files, objectStore, stillOwn }: FilingSources,
  fileDocumentIds: readonly string[],
  decide: (original: FilingToChange) => FilingChange | 'unchanged',
  pathOfFile?: FilePath,
): Promise<Filing> =>
  retryOnConflict(async (attempt) => {
    const { organizationId } = identity;
    const [filingRead, filesRead] = await Promise.allSettled([
      ownFiling(filings, identity, filingId, { latest: attempt > 1 }),
      fileDocumentIds.length === 0 ? [] : files.read(organizationId, fileDocumentIds, pathOfFile),
    ]);
    // The filing's error comes first: a caller who may not see it must learn nothing else.
    const original = unwrap(filingRead);
    const change = decide({ ...original, filesOf: () => unwrap(filesRead) });
    if (change === 'unchanged') return filingView(original, linkFiles(objectStore, now));
    checkOpen(original.filing);

    const filing = { ...change.filing, updatedAt: now.toISOString() };
    const messages = [...original.messages, ...(change.messages ?? [])].sort(chronologically);
    const data = await filingView({ filing, messages }, linkFiles(objectStore, now));
    const attachedFiles = unwrap(filesRead);
    const uses = attachedFiles.map(({ fileDocumentId }) =>
      files.use(organizationId, fileDocumentId, filingId),
    );
    const agencies = new Set(
      [filing, ...attachedFiles].flatMap(({ downstreamEntityId = [] }) => downstreamEntityId),
    );
    const checks =
      personaOf(identity) === 'upstream'
        ? []
        : Array.from(agencies, (entityId) => stillOwn(organizationId, entityId));
    const frees = await freedFile(files, original.filing, filing);
    await filings.save(original, { ...change, filing }, [
      ...checks,
      ...uses,
      ...frees,
      ...recordResponse(data),
    ]);
    return data;
  });

/** The transaction items that free a policy document that another replaced, whichever side it is of. */
function freedFile(
  files: FilingSources['files'],
  { _id, upstreamEntityId, recordOwner, policyDocument: before }: StoredFiling,
  { policyDocument: after }: StoredFiling,
) {
  if (before === null || before.fileDocumentId === after?.fileDocumentId) return [];
  const owners = [upstreamEntityId, recordOwner].filter((owner) => owner !== undefined);
  return files.free(owners, before.fileDocumentId, _id);
}

/** @throws DomainError `state_conflict` for a filing whose status is final. */
function checkOpen(filing: StoredFiling): void {
  if (nextStatuses(filing).length > 0) return;
  throw new DomainError('state_conflict', {
    message: 'The filing is closed.',
    limit: { expected: 'a filing that is neither completed nor canceled', actual: filing.status },
  });
}

function unwrap<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const chronologically = (message: StoredMessage, otherMessage: StoredMessage): number =>
  `${message.sentAt}${message._id}` < `${otherMessage.sentAt}${otherMessage._id}` ? -1 : 1;

/** @throws DomainError `not_found` that names the files that are on a filing already. */
function requireUnused(
  files: readonly AttachableFile[],
  pathOfFile: FilePath = fileListPath,
): readonly AttachableFile[] {
  const usedFiles = files.flatMap(({ fileDocumentId, usedBy }, index) =>
    usedFile(fileDocumentId, usedBy, pathOfFile(index)),
  );
  if (usedFiles.length > 0) throw noSuchFiles(usedFiles);
  return files;
}

/** A file as the filing stores it after the customer attached it. */
const asFilingFile = ({
  downstreamEntityId: _,
  usedBy: _filing,
  ...file
}: AttachableFile): NonNullable<StoredFiling['policyDocument']> => ({ ...file, uploadedByType: 'customer' });

/** Files as new attachments. @throws as `unused`. */
const newAttachments = (files: readonly AttachableFile[], now: Date) =>
  requireUnused(files).map((file) => ({ _id: newObjectId(now), ...asFilingFile(file) }));

const pathOfFile = () => 'fileDocumentId';

/** Changes that customers make to filings. */
export const filingChanges = operationsOf(surplusLinesFilingRoutes, (sources: FilingSources) => ({
  /**
   * Attaches uploaded files to a checklist item, all or none.
   * @throws ApiError `not_found` for a filing, item or file that the caller may not see or use; `validation_error`
   *   for files that are not uploaded; `conflict` when the filing is full.
   */
  attachFilingFiles(request) {
    const { sourceCategoryId, sourceTaskId, fileDocumentIds } = request.body;
    const itemKey = { sourceCategoryId, sourceTaskId };
    return changeFiling(request, sources, fileDocumentIds, ({ filing, filesOf }) => {
      const item = visibleItem(filing, itemKey);
      const attachments = [...item.attachments, ...newAttachments(filesOf(), request.now)];
      return { filing: withChecklistItem(filing, itemKey, { ...item, attachments }) };
    });
  },

  /**
   * Sets the policy document; a repeat with the one already set changes nothing.
   * @throws ApiError `not_found` for a filing or file that the caller may not see or use; `validation_error` for a
   *   file that is not uploaded.
   */
  replaceFilingPolicyDocument(request) {
    const { fileDocumentId } = request.body;
    return changeFiling(
      request,
      sources,
      [fileDocumentId],
      ({ filing, filesOf }) => {
        const files = filesOf();
        if (filing.policyDocument?.fileDocumentId === fileDocumentId) return 'unchanged';
        const [policyDocument = null] = requireUnused(files, pathOfFile).map(asFilingFile);
        return { filing: { ...filing, policyDocument } };
      },
      pathOfFile,
    );
  },

  /**
   * Adds the customer's message to an open escalation, which then waits for the service (OpenAPI, "createFilingEscalationMessage").
   *
   * @throws ApiError `not_found` for a filing, item, escalation or file that the caller may not see or use;
   *   `validation_error` for an item without an escalation, a resolved escalation, and files that are not uploaded.
   */
  createFilingEscalationMessage(request) {
    const { sourceCategoryId, sourceTaskId, body = '', fileDocumentIds = [] } = request.body;
    const itemKey = { sourceCategoryId, sourceTaskId };
    return changeFiling(request, sources, fileDocumentIds, ({ filing, filesOf }) => {
      const item = visibleItem(filing, itemKey);
      const { escalation } = item;
      if (escalation?.category === 'private') throw noSuchItem(filing, itemKey);
      if (escalation === null) throw invalidAt('sourceTaskId', 'has no escalation');
      if (escalation.status === 'resolved') {
        throw invalidAt('sourceTaskId', 'has an escalation that is already resolved');
      }
      const message = {
        _id: newObjectId(request.now),
        ...itemKey,
        authorType: 'customer' as const,
        body: body.trim() === '' ? null : body,
        attachments: newAttachments(filesOf(), request.now),
        sentAt: request.now.toISOString(),
      };
      const nextItem = { ...item, escalation: { ...escalation, status: 'waiting service input' as const } };
      return { filing: withChecklistItem(filing, itemKey, nextItem), messages: [message] };
    });
  },
}));
