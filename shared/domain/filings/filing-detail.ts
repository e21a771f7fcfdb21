import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { artifactTypes, escalationStatuses, filingSummaryFields, tones } from './resource.ts';

const text = z.string();
const order = z.int();

/** When a file was uploaded, and its links, which are made for each response. */
const uploaded = fields(() => ({ uploadedAt: timestamp, downloadUrl: text, viewUrl: text }));

export const uploadedByType = z.enum(['admin', 'customer']);

/** The schemas of a filing's detail; `extra` are further fields of every file. */
function detailOf<Extra extends z.core.$ZodShape>(extra: Extra) {
  const attachment = object(() => ({
    _id: objectId,
    fileName: text,
    uploadedByType,
    ...uploaded.shape,
    ...extra,
  }));
  const message = object(() => ({
    _id: objectId,
    authorType: z.enum(['service', 'customer']),
    body: z.nullable(text),
    attachments: z.array(attachment),
    sentAt: timestamp,
  }));
  const escalation = object(() => ({
    checklistItemLabel: text,
    status: z.enum(escalationStatuses),
    openedAt: z.nullable(timestamp),
    resolvedAt: z.nullable(timestamp),
    messages: z.array(message),
  }));
  const item = object(() => ({
    sourceTaskId: text,
    label: text,
    order,
    checked: z.boolean(),
    attachments: z.array(attachment),
    escalation: z.nullable(escalation),
  }));
  const category = object(() => ({
    sourceCategoryId: text,
    name: text,
    tone: z.enum(tones),
    order,
    items: z.array(item),
  }));
  const artifact = object(() => ({
    type: z.enum(artifactTypes),
    fileName: text,
    ...uploaded.shape,
    ...extra,
  }));
  const policyDocument = object(() => ({ fileName: text, uploadedByType, ...uploaded.shape, ...extra }));
  const filing = object(() => ({
    ...filingSummaryFields.shape,
    escalations: z.array(escalation),
    completionArtifacts: z.array(artifact),
    policyDocument: z.nullable(policyDocument),
    checklist: z.array(category),
  }));
  return { attachment, message, escalation, item, category, artifact, policyDocument, filing };
}

/** v2 carries the document's id on every file of a filing, v1 nowhere (OpenAPI, "Changes"). */
export const filingDetail = detailOf({ fileDocumentId: objectId });
export const filingDetailV1 = detailOf({});

export const { filing } = filingDetail;
export const { filing: filingV1 } = filingDetailV1;

export type Filing = z.output<typeof filing>;
