import { randomUUID } from 'node:crypto';
import { longestFileName } from '#domain/file-documents/content.ts';
import { fileDocumentItem, mostVersions, versionedDocumentId } from '#domain/file-documents/stored.ts';
import { createFilingStore } from '#domain/filings/store.ts';
import { mostFiles, mostMessages, type StoredFiling, type StoredMessage } from '#domain/filings/stored.ts';
import { fileCategories, surplusLinesCategory } from '#domain/identifiers/file-category.ts';
import type { Tables } from '#domain/tables.ts';
import { KB } from '#platform/aws/limits.ts';
import { largestItem } from '#platform/data/table.ts';
import { attachment, category, checklistItem, escalation, filingOf, message } from '../support/filings.ts';

/** The checklist item to which the random requests attach files and reply. */
export const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** Stores records of a carrier that have room for one element more, or for none: random requests seldom fill one. */
export async function storeFullRecords(
  owner: string,
  tables: Tables<'filings' | 'fileDocuments'>,
  now: () => Date,
): Promise<void> {
  const filings = createFilingStore(tables.filings, now);
  const store = async (filing: StoredFiling, messages: readonly StoredMessage[] = []) => {
    for (let at = 0; at === 0 || at < messages.length; at += 50) {
      const found = await filings.find('upstream', owner, filing._id);
      await filings.save(found, { filing, messages: messages.slice(at, at + 50) }, []);
    }
  };
  const withItem = (label: string, files: number) => {
    const attachments = Array.from({ length: files }, () => attachment());
    const item = checklistItem(place.sourceTaskId, { label, attachments, escalation: escalation() });
    return filingOf(owner, { checklist: [category(place.sourceCategoryId, [item])] });
  };
  await store(withItem('Affidavit', 0));
  await store(withItem('Many files', mostFiles - 1));
  await store(withItem('x'.repeat(largestItem - 2 * KB), 0));
  for (const room of [0, 1]) {
    const messages = Array.from({ length: mostMessages - room }, () =>
      message(place.sourceCategoryId, place.sourceTaskId),
    );
    await store(withItem('Many messages', 0), messages);
  }
  const contentType = 'application/pdf';
  for (const [index, name] of fileCategories.entries()) {
    if (name === surplusLinesCategory) continue;
    const _id = versionedDocumentId(owner, name, undefined);
    const versions = Array.from(
      { length: mostVersions - (index % 2) },
      (_, at) =>
        ({
          version: at + 1,
          uploadedAt: now().toISOString(),
          objectKey: `files/${_id}/${randomUUID()}`,
          fileName: `${'証'.repeat(longestFileName - 4)}.pdf`,
          contentType,
          sizeInBytes: 1_000,
        }) as const,
    );
    await tables.fileDocuments.put(fileDocumentItem(owner, { _id, category: name, versions }));
  }
}
