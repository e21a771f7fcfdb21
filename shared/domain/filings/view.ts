import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { sinceV2 } from '#platform/contract/v1.ts';
import { type DomainError, notFoundAt } from '#platform/errors/domain-error.ts';
import {
  artifactTypes,
  escalationStatuses,
  type FilingSummary,
  filingSummary,
  filingSummaryFields,
  tones,
} from './resource.ts';
import type {
  StoredAttachment,
  StoredChecklistCategory,
  StoredChecklistItem,
  StoredEscalation,
  StoredFiling,
  StoredMessage,
} from './stored.ts';

const text = z.string();
const order = z.int();

/** Time of a file’s upload, and its links, which are made for each response. */
const uploadFields = z.object({ uploadedAt: timestamp, downloadUrl: text, viewUrl: text });

export const uploadedByType = z.enum(['admin', 'customer']);

/** v2 carries the document's id on every file of a filing, v1 nowhere (OpenAPI, "Changes"). */
const fileDocumentId = sinceV2(objectId);

const attachment = z.object({
  _id: objectId,
  fileName: text,
  uploadedByType,
  ...uploadFields.shape,
  fileDocumentId,
});

const message = z.object({
  _id: objectId,
  authorType: z.enum(['service', 'customer']),
  body: z.nullable(text),
  attachments: z.array(attachment),
  sentAt: timestamp,
});

const escalation = z.object({
  checklistItemLabel: text,
  status: z.enum(escalationStatuses),
  openedAt: z.nullable(timestamp),
  resolvedAt: z.nullable(timestamp),
  messages: z.array(message),
});

const item = z.object({
  sourceTaskId: text,
  label: text,
  order,
  checked: z.boolean(),
  attachments: z.array(attachment),
  escalation: z.nullable(escalation),
});

const category = z.object({
  sourceCategoryId: text,
  name: text,
  tone: z.enum(tones),
  order,
  items: z.array(item),
});

const artifact = z.object({
  type: z.enum(artifactTypes),
  fileName: text,
  ...uploadFields.shape,
  fileDocumentId,
});

const policyDocument = z.object({ fileName: text, uploadedByType, ...uploadFields.shape, fileDocumentId });

/** An escalation in the list of a filing's, with the ids to reply with. */
const listedEscalation = z.object({
  sourceCategoryId: text,
  sourceTaskId: text,
  ...escalation.shape,
});

export const filing = z.object({
  ...filingSummaryFields.shape,
  escalations: z.array(listedEscalation),
  completionArtifacts: z.array(artifact),
  policyDocument: z.nullable(policyDocument),
  checklist: z.array(category),
});

/** A filing whose list has escalations as its checklist has them: v1 makes its filing of it. */
export const filingOfV1 = z.object({ ...filing.shape, escalations: z.array(escalation) });

export const filingDetail = {
  attachment,
  message,
  escalation,
  listedEscalation,
  item,
  category,
  artifact,
  policyDocument,
};

export type Filing = z.output<typeof filing>;

const byOrder = (first: { readonly order: number }, second: { readonly order: number }) =>
  first.order - second.order;

/**
 * The part of a checklist that the customer may see, in display order: no internal category, and a private escalation as
 * if there were none. All that is returned or counted is derived from it.
 */
const visibleChecklist = (filing: Pick<StoredFiling, 'checklist'>): StoredChecklistCategory[] =>
  filing.checklist
    .filter(({ isInternal }) => !isInternal)
    .sort(byOrder)
    .map((category) => ({
      ...category,
      items: category.items
        .toSorted(byOrder)
        .map((item) => ({ ...item, escalation: publicEscalation(item) })),
    }));

/** The escalation of an item as the customer sees it. */
const publicEscalation = ({
  escalation,
}: Pick<StoredChecklistItem, 'escalation'>): StoredEscalation | null =>
  escalation?.category === 'public' ? escalation : null;

/** Members of a filing that lists show. */
export function filingSummaryOf(filing: StoredFiling): FilingSummary {
  const items = visibleChecklist(filing).flatMap((category) => category.items);
  return z.parse(filingSummary, {
    ...filing,
    actionRequired: items.some(({ escalation }) => escalation?.status === 'waiting customer input'),
    checklistProgress: { checked: items.filter(({ checked }) => checked).length, total: items.length },
  });
}

/** A filing with its messages in order. */
export interface FoundFiling {
  readonly filing: StoredFiling;
  readonly messages: readonly StoredMessage[];
}

type StoredFile = Pick<StoredAttachment, 'objectKey' | 'fileName' | 'contentType'>;

/** Presigns the URLs of a file; they are computed without a call, so many are cheap. */
export type LinkFile = (
  file: StoredFile,
) => Promise<{ readonly downloadUrl: string; readonly viewUrl: string }>;

/** A filing as it is answered: what its schema does not name, keys of objects among it, is left out. */
export async function filingView(
  { filing: storedFiling, messages }: FoundFiling,
  linksOf: LinkFile,
): Promise<Filing> {
  const withLinks = async <File extends StoredFile>(file: File) => ({ ...file, ...(await linksOf(file)) });
  const withAttachments = async <Owner extends Pick<StoredMessage, 'attachments'>>(owner: Owner) => ({
    ...owner,
    attachments: await Promise.all(owner.attachments.map(withLinks)),
  });
  const threads = Map.groupBy(messages, itemKeyOf);
  const itemOf = async (item: StoredChecklistItem, sourceCategoryId: string) => {
    const { sourceTaskId, label, escalation } = item;
    const thread = threads.get(itemKeyOf({ sourceCategoryId, sourceTaskId })) ?? [];
    return {
      ...(await withAttachments(item)),
      escalation: escalation && {
        ...escalation,
        checklistItemLabel: label,
        messages: await Promise.all(thread.map(withAttachments)),
      },
    };
  };
  const [checklist, completionArtifacts, policyDocument] = await Promise.all([
    Promise.all(
      visibleChecklist(storedFiling).map(async (category) => ({
        ...category,
        items: await Promise.all(category.items.map((item) => itemOf(item, category.sourceCategoryId))),
      })),
    ),
    Promise.all(storedFiling.completionArtifacts.map(withLinks)),
    storedFiling.policyDocument && withLinks(storedFiling.policyDocument),
  ]);
  return z.parse(filing, {
    ...filingSummaryOf(storedFiling),
    escalations: checklist.flatMap(({ sourceCategoryId, items }) =>
      items.flatMap(({ sourceTaskId, escalation }) =>
        escalation === null ? [] : [{ sourceCategoryId, sourceTaskId, ...escalation }],
      ),
    ),
    completionArtifacts,
    policyDocument,
    checklist,
  });
}

/** Identifies a checklist item within a filing. */
const itemKeyOf = (key: Pick<StoredMessage, 'sourceCategoryId' | 'sourceTaskId'>): string =>
  JSON.stringify([key.sourceCategoryId, key.sourceTaskId]);

/** Identifies a checklist item within its filing. */
export type ChecklistItemKey = Pick<StoredMessage, 'sourceCategoryId' | 'sourceTaskId'>;

/** An item of a filing's checklist and whether its category is internal; undefined when there is none. */
export function checklistItem(
  filing: StoredFiling,
  key: ChecklistItemKey,
): { readonly item: StoredChecklistItem; readonly isInternal: boolean } | undefined {
  const category = filing.checklist.find(({ sourceCategoryId }) => sourceCategoryId === key.sourceCategoryId);
  const item = category?.items.find(({ sourceTaskId }) => sourceTaskId === key.sourceTaskId);
  return category && item && { item, isInternal: category.isInternal };
}

/** The refusal of an item that a customer names and may not see, or that there is not: of a category that he sees, the task alone. */
export function noSuchItem({ checklist }: StoredFiling, { sourceCategoryId }: ChecklistItemKey): DomainError {
  const isSeen = checklist.some(
    (category) => category.sourceCategoryId === sourceCategoryId && !category.isInternal,
  );
  const paths = isSeen ? ['sourceTaskId'] : ['sourceCategoryId', 'sourceTaskId'];
  return notFoundAt(paths, 'names no item of the filing’s checklist');
}

/**
 * The item that a customer names.
 * @throws DomainError `not_found` when there is none, or it is internal.
 */
export function visibleItem(filing: StoredFiling, key: ChecklistItemKey): StoredChecklistItem {
  const checklistEntry = checklistItem(filing, key);
  if (checklistEntry === undefined || checklistEntry.isInternal) throw noSuchItem(filing, key);
  return checklistEntry.item;
}

/** The filing with that item replaced. */
export const withChecklistItem = (
  filing: StoredFiling,
  { sourceCategoryId, sourceTaskId }: ChecklistItemKey,
  changedItem: StoredChecklistItem,
): StoredFiling => ({
  ...filing,
  checklist: filing.checklist.map((category) =>
    category.sourceCategoryId === sourceCategoryId
      ? {
          ...category,
          items: category.items.map((item) => (item.sourceTaskId === sourceTaskId ? changedItem : item)),
        }
      : category,
  ),
});
