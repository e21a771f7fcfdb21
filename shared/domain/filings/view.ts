import { groupBy } from '../../platform/data/group-by.ts';
import type { Filing } from './filing-detail.ts';
import type { StoredChecklistItem, StoredFiling, StoredMessage } from './stored.ts';
import { filingSummaryOf, visibleChecklist } from './visible.ts';

/** A filing with its messages in order. */
export interface FoundFiling {
  readonly filing: StoredFiling;
  readonly messages: readonly StoredMessage[];
}

type FileOf<Record> = Record extends { readonly attachments: readonly (infer File)[] } ? File : never;
type StoredFile = Pick<FileOf<StoredMessage>, 'objectKey' | 'fileName' | 'contentType'>;

/** Presigns the URLs of a file; they are computed without a call, so many are cheap. */
export type LinkFile = (
  file: StoredFile,
) => Promise<{ readonly downloadUrl: string; readonly viewUrl: string }>;

type FilingFile = Omit<FileOf<StoredMessage>, '_id'>;

/** A filing as it is answered. */
export async function filingView({ filing, messages }: FoundFiling, link: LinkFile): Promise<Filing> {
  const linked = async (file: FilingFile) => ({
    fileDocumentId: file.fileDocumentId,
    fileName: file.fileName,
    uploadedAt: file.uploadedAt,
    ...(await link(file)),
  });
  const shown = async (file: FilingFile) => ({
    uploadedByType: file.uploadedByType,
    ...(await linked(file)),
  });
  const attachmentsOf = ({ attachments }: Pick<StoredMessage, 'attachments'>) =>
    Promise.all(attachments.map(async (file) => ({ _id: file._id, ...(await shown(file)) })));
  const messageOf = async (message: StoredMessage) => ({
    _id: message._id,
    authorType: message.authorType,
    body: message.body,
    attachments: await attachmentsOf(message),
    sentAt: message.sentAt,
  });
  const threads = groupBy(messages, itemKeyOf);
  const itemOf = async (item: StoredChecklistItem, sourceCategoryId: string) => {
    const { sourceTaskId, label, order, checked, escalation } = item;
    return {
      sourceTaskId,
      label,
      order,
      checked,
      attachments: await attachmentsOf(item),
      escalation: escalation && {
        checklistItemLabel: label,
        status: escalation.status,
        openedAt: escalation.openedAt,
        resolvedAt: escalation.resolvedAt,
        messages: await Promise.all(
          (threads.get(itemKeyOf({ sourceCategoryId, sourceTaskId })) ?? []).map(messageOf),
        ),
      },
    };
  };
  const [checklist, completionArtifacts, policyDocument] = await Promise.all([
    Promise.all(
      visibleChecklist(filing).map(async ({ sourceCategoryId, name, tone, order, items }) => ({
        sourceCategoryId,
        name,
        tone,
        order,
        items: await Promise.all(items.map((item) => itemOf(item, sourceCategoryId))),
      })),
    ),
    Promise.all(
      filing.completionArtifacts.map(async (artifact) => ({
        type: artifact.type,
        ...(await linked(artifact)),
      })),
    ),
    filing.policyDocument && shown(filing.policyDocument),
  ]);
  return {
    ...filingSummaryOf(filing),
    escalations: checklist
      .flatMap(({ items }) => items)
      .flatMap(({ escalation }) => (escalation === null ? [] : [escalation])),
    completionArtifacts,
    policyDocument,
    checklist,
  };
}

/** Identifies a checklist item within a filing. */
const itemKeyOf = (key: Pick<StoredMessage, 'sourceCategoryId' | 'sourceTaskId'>): string =>
  JSON.stringify([key.sourceCategoryId, key.sourceTaskId]);
