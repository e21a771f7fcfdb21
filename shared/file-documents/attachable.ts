import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import type { TransactionItem } from '../data/transact.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { UploadEventItems } from './events.ts';
import { createFirstUse, unusableIssue } from './first-use.ts';
import type { ObjectStore, StoredFile } from './object-store.ts';
import { fileDocumentKeys, storedFileDocument } from './stored.ts';

/** A file document that may be attached to a filing. */
export interface AttachableFile extends StoredFile {
  readonly fileDocumentId: string;
  readonly uploadedAt: string;
  /** The filing that holds it already. */
  readonly usedBy?: string | undefined;
}

/** File documents as filings use them. */
export interface AttachableFiles {
  /**
   * The owner's files, in the order of their ids.
   * @param path where the caller's request named the file at that index
   * @throws DomainError `not_found` for an id that is unknown or another organization's; `invalid_input` for a file that
   *   still waits for its upload, or whose content is not what was announced.
   */
  read(
    owner: string,
    fileDocumentIds: readonly string[],
    path?: (index: number) => string,
  ): Promise<AttachableFile[]>;
  /** The transaction item that claims a file for a filing; refused with `not_found` when another filing has it. */
  use(owner: string, fileDocumentId: string, filingId: string): TransactionItem;
}

export function createAttachableFiles(
  client: DynamoDBClient,
  table: string,
  objectStore: ObjectStore,
  events: UploadEventItems,
  now: () => Date = () => new Date(),
): AttachableFiles {
  const firstUse = createFirstUse(client, table, objectStore, events);
  return {
    async read(owner, fileDocumentIds, path = (index) => `fileDocumentIds[${index}]`) {
      const keys = Array.from(new Set(fileDocumentIds), (id) => fileDocumentKeys.document(owner, id));
      const items = await batchGet(client, table, keys, { consistent: true });
      const found = new Map(
        items.map((item) => {
          const document = parseStored(storedFileDocument, item);
          return [document._id, document];
        }),
      );
      const documents = fileDocumentIds.map((id) => {
        const document = found.get(id);
        if (document === undefined) throw new DomainError('not_found');
        return document;
      });
      const usable = await Promise.all(documents.map((document) => firstUse(owner, document, now())));
      const faults = usable.flatMap(({ document, fault }, index) =>
        fault === undefined || document.versions.length > 0 ? [] : [unusableIssue(fault, path(index))],
      );
      if (faults.length > 0) throw new DomainError('invalid_input', { issues: faults });
      return usable.map(({ document }) => {
        const last = document.versions.at(-1);
        if (last === undefined) throw new Error(`The file document ${document._id} has no version.`);
        const { objectKey, fileName, contentType, uploadedAt } = last;
        const { _id: fileDocumentId, usedBy } = document;
        return { fileDocumentId, objectKey, fileName, contentType, uploadedAt, usedBy };
      });
    },

    use: (owner, fileDocumentId, filingId) => ({
      write: {
        Update: {
          TableName: table,
          Key: toItem(fileDocumentKeys.document(owner, fileDocumentId)),
          UpdateExpression: 'SET usedBy = :filing',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedBy)',
          ExpressionAttributeValues: toItem({ ':filing': filingId }),
        },
      },
      refused: () => new DomainError('not_found'),
    }),
  };
}
