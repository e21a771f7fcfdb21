import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import { fileTypeNames } from '../file-documents/content.ts';
import {
  artifactTypes,
  escalationStatuses,
  type FilingStatus,
  filingStatuses,
  filingSummaryFields,
  tones,
} from './resource.ts';

const text = z.string();

/** Files on a filing's checklist and in its messages, and messages, at most (OpenAPI, "getFiling"). */
export const mostFiles = 200;
export const mostMessages = 500;

/** A file of a filing: the document it came from, and the object as it was when it was attached. */
const filingFile = {
  fileDocumentId: objectId,
  objectKey: text,
  fileName: text,
  contentType: z.enum(fileTypeNames),
  uploadedByType: z.enum(['admin', 'customer']),
  uploadedAt: timestamp,
};

const storedAttachment = z.object({ _id: objectId, ...filingFile });

/**
 * An escalation; its messages are separate items, found by category and task. Its category never changes, since
 * private messages would become visible.
 */
const storedEscalation = z.object({
  category: z.enum(['public', 'private']),
  status: z.enum(escalationStatuses),
  openedAt: z.nullable(timestamp),
  resolvedAt: z.nullable(timestamp),
});

const storedChecklistItem = z.object({
  sourceTaskId: text,
  label: text,
  order: z.int(),
  checked: z.boolean(),
  attachments: z.array(storedAttachment),
  escalation: z.nullable(storedEscalation),
});

const storedChecklistCategory = z.object({
  sourceCategoryId: text,
  name: text,
  tone: z.enum(tones),
  order: z.int(),
  /** Internal to the service: never shown or counted. */
  isInternal: z.boolean(),
  items: z.array(storedChecklistItem),
});

const storedArtifact = z.object({ type: z.enum(artifactTypes), ...filingFile });

const storedPolicyDocument = z.object(filingFile);

/** The fields of a filing that its summary shows as they are stored. */
export const filingFields = z.omit(filingSummaryFields, { actionRequired: true, checklistProgress: true });

/** The item `FILING`: a filing without its messages. */
export const storedFiling = storedItem('filings/filing', {
  ...filingFields.shape,
  upstreamEntityId: objectId,
  downstreamEntityId: z.optional(objectId),
  /** `recordOwnerOf` the agency, whose organization sees the filing too; none where it names no agency. */
  recordOwner: z.optional(text),
  /** The status before `on hold`; absent for any other status, and for a filing that was imported on hold. */
  heldFrom: z.optional(z.enum(filingStatuses)),
  checklist: z.array(storedChecklistCategory),
  policyDocument: z.nullable(storedPolicyDocument),
  completionArtifacts: z.array(storedArtifact),
  isDeleted: z.optional(z.boolean()),
  createdAt: timestamp,
  /** Rises with every write of the filing or one of its messages, from 1. */
  version: z.int(),
  /** Number of messages, so that a reader of an index knows whether it has all of them. */
  messageCount: z.int(),
});

/** A message of an escalation. */
export const storedMessage = storedItem('filings/message', {
  _id: objectId,
  sourceCategoryId: text,
  sourceTaskId: text,
  authorType: z.enum(['service', 'customer']),
  body: z.nullable(text),
  attachments: z.array(storedAttachment),
  sentAt: timestamp,
});

export type StoredFiling = z.output<typeof storedFiling>;
export type StoredMessage = z.output<typeof storedMessage>;
export type StoredChecklistCategory = z.output<typeof storedChecklistCategory>;
export type StoredChecklistItem = z.output<typeof storedChecklistItem>;
export type StoredEscalation = z.output<typeof storedEscalation>;
export type StoredAttachment = z.output<typeof storedAttachment>;

/**
 * The transitions of a filing from each status; only operators move it. Completing it also requires an artifact. From `on hold`,
 * those of a filing that was imported so: nobody knows where it was.
 */
const transitions: Readonly<Record<FilingStatus, readonly FilingStatus[]>> = {
  'not started': ['in progress', 'on hold', 'canceled'],
  'in progress': ['ready to file', 'on hold', 'canceled'],
  'ready to file': ['filed', 'on hold', 'canceled'],
  filed: ['completed', 'on hold', 'canceled'],
  'on hold': ['not started', 'in progress', 'ready to file', 'filed', 'canceled'],
  completed: [],
  canceled: [],
};

/** The statuses that a filing may be given next. */
export const nextStatuses = ({
  status,
  heldFrom,
}: Pick<StoredFiling, 'status' | 'heldFrom'>): readonly FilingStatus[] =>
  status === 'on hold' && heldFrom !== undefined ? [heldFrom, 'canceled'] : transitions[status];
