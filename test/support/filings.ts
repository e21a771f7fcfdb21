import { randomBytes } from 'node:crypto';
import type {
  StoredAttachment,
  StoredChecklistCategory,
  StoredChecklistItem,
  StoredEscalation,
  StoredFiling,
  StoredMessage,
} from '#domain/filings/stored.ts';

/** Filings, their parts and files as tests make them: complete, and different where a test says so. */

export const newId = (): string => randomBytes(12).toString('hex');

const at = '2026-03-01T14:05:09.123Z';

export const attachment = (fields: Partial<StoredAttachment> = {}): StoredAttachment => ({
  _id: newId(),
  fileDocumentId: newId(),
  objectKey: `files/${newId()}`,
  fileName: 'proof.pdf',
  contentType: 'application/pdf',
  uploadedByType: 'customer',
  uploadedAt: at,
  ...fields,
});

export const escalation = (fields: Partial<StoredEscalation> = {}): StoredEscalation => ({
  category: 'public',
  status: 'waiting customer input',
  openedAt: at,
  resolvedAt: null,
  ...fields,
});

export const checklistItem = (
  sourceTaskId: string,
  fields: Partial<StoredChecklistItem> = {},
): StoredChecklistItem => ({
  sourceTaskId,
  label: `Label of ${sourceTaskId}`,
  order: 1,
  checked: false,
  attachments: [],
  escalation: null,
  ...fields,
});

export const category = (
  sourceCategoryId: string,
  items: StoredChecklistItem[],
  fields: Partial<StoredChecklistCategory> = {},
): StoredChecklistCategory => ({
  sourceCategoryId,
  name: `Name of ${sourceCategoryId}`,
  tone: 'primary',
  order: 1,
  isInternal: false,
  items,
  ...fields,
});

export const message = (
  sourceCategoryId: string,
  sourceTaskId: string,
  fields: Partial<StoredMessage> = {},
): StoredMessage => ({
  _id: newId(),
  sourceCategoryId,
  sourceTaskId,
  authorType: 'service',
  body: 'Please send the affidavit.',
  attachments: [],
  sentAt: at,
  ...fields,
});

export const filingOf = (upstreamEntityId: string, fields: Partial<StoredFiling> = {}): StoredFiling => ({
  _id: newId(),
  upstreamEntityId,
  externalReference: null,
  policyNumber: 'SL-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  status: 'in progress',
  effectiveDate: '2026-03-01',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Lone Star Surplus',
  carrierNaicCode: '12345',
  grossPremium: 12_500.5,
  totalTaxDue: null,
  checklist: [],
  policyDocument: null,
  completionArtifacts: [],
  createdAt: at,
  updatedAt: at,
  version: 0,
  messageCount: 0,
  ...fields,
});

/** Every object in a value, at any depth. */
export function objectsWithin(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(objectsWithin);
  const object: Record<string, unknown> = { ...value };
  return [object, ...Object.values(object).flatMap(objectsWithin)];
}
