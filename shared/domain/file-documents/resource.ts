import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { fileCategory } from '../identifiers/identifiers.ts';
import { fileType, largestFile } from './content.ts';

/** A stored file: its name, and what its content says. */
export const storedFileFields = z.object({
  fileName: z.string(),
  contentType: fileType,
  sizeInBytes: z.int().check(z.gte(1), z.lte(largestFile)),
});

export const fileVersion = z.object({
  version: z.int().check(z.gte(1)),
  ...storedFileFields.shape,
  uploadedAt: timestamp,
});

/** A file document. */
export const fileDocument = z.object({
  _id: objectId,
  category: fileCategory,
  ...storedFileFields.shape,
  status: z.enum(['awaiting upload', 'scanning', 'available', 'rejected']),
  versions: z.array(fileVersion),
});

/** A file document as an agency sees it, with the market that it is for. */
export const agencyFileDocument = z.object({
  ...fileDocument.shape,
  upstreamDownstreamAssociationId: z.nullable(objectId),
});

export type AgencyFileDocument = z.output<typeof agencyFileDocument>;

export const upload = z.object({
  method: z.literal('PUT'),
  url: z.url(),
  headers: z.record(z.string(), z.string()),
  expiresAt: timestamp,
});

/** The response to an upload; `upload` when the file was announced as JSON. */
export const uploadedFileDocument = z.object({ ...fileDocument.shape, upload: z.optional(upload) });

export const uploadedAgencyFileDocument = z.object({
  ...agencyFileDocument.shape,
  upload: uploadedFileDocument.shape.upload,
});

export type UploadedFileDocument = z.output<typeof uploadedAgencyFileDocument>;

/** A short-lived link. */
export const fileDownload = z.object({ url: z.url(), expiresAt: timestamp });
