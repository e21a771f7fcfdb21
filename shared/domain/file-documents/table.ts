import { businessTable, index } from '../../platform/data/table-design.ts';

/**
 * File documents; every partition starts with the owner, the organization that uploaded them.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | document | `<owner>#DOCUMENT` | `<fileDocumentId>` |
 *
 * | index | serves | partition | sort |
 * |---|---|---|---|
 * | by-owner | pages: counting and skipping keys | `listKey` = `<owner>` | `sk` |
 * | by-entity | the same for one entity of an agency | `listEntityKey` = `<owner>#<downstreamEntityId>` | `sk` |
 *
 * The id of a document with versions is derived from owner, category and association, so that a repeat finds it.
 */
export const fileDocumentsTable = businessTable('file-documents', {
  indexes: { 'by-owner': index('listKey', 'sk'), 'by-entity': index('listEntityKey', 'sk') },
});
