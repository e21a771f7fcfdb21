import * as z from 'zod/mini';
import { groupBy } from '../../platform/data/group-by.ts';
import { type Filing, filing as shownFiling } from './filing-detail.ts';
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

/** A filing as it is answered: without what only the service sees, which its schema does not name. */
export async function filingView({ filing, messages }: FoundFiling, link: LinkFile): Promise<Filing> {
  const linked = async <File extends StoredFile>(file: File) => ({ ...file, ...(await link(file)) });
  const attachmentsOf = ({ attachments }: Pick<StoredMessage, 'attachments'>) =>
    Promise.all(attachments.map(linked));
  const messageOf = async (message: StoredMessage) => ({
    ...message,
    attachments: await attachmentsOf(message),
  });
  const threads = groupBy(messages, itemKeyOf);
  const itemOf = async (item: StoredChecklistItem, sourceCategoryId: string) => {
    const { sourceTaskId, label, escalation } = item;
    const thread = threads.get(itemKeyOf({ sourceCategoryId, sourceTaskId })) ?? [];
    return {
      ...item,
      attachments: await attachmentsOf(item),
      escalation: escalation && {
        ...escalation,
        checklistItemLabel: label,
        messages: await Promise.all(thread.map(messageOf)),
      },
    };
  };
  const [checklist, completionArtifacts, policyDocument] = await Promise.all([
    Promise.all(
      visibleChecklist(filing).map(async (category) => ({
        ...category,
        items: await Promise.all(category.items.map((item) => itemOf(item, category.sourceCategoryId))),
      })),
    ),
    Promise.all(filing.completionArtifacts.map(linked)),
    filing.policyDocument && linked(filing.policyDocument),
  ]);
  return z.parse(shownFiling, {
    ...filingSummaryOf(filing),
    escalations: checklist.flatMap(({ items }) => items.flatMap(({ escalation }) => escalation ?? [])),
    completionArtifacts,
    policyDocument,
    checklist,
  });
}

/** Identifies a checklist item within a filing. */
const itemKeyOf = (key: Pick<StoredMessage, 'sourceCategoryId' | 'sourceTaskId'>): string =>
  JSON.stringify([key.sourceCategoryId, key.sourceTaskId]);
