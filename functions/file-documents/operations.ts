import { createFileDocument } from './create-file-document.ts';
import { getDownloadUrl, getFileDocument, listDocuments } from './read-file-document.ts';

/** What each row of the file documents table does; surfaces and versions share operations. */
export const fileDocumentOperations = {
  createFileDocument,
  createFileDocumentV1: createFileDocument,
  createDocument: createFileDocument,
  getFileDocument,
  listDocuments,
  getFileDocumentDownloadUrl: getDownloadUrl,
  getFileDocumentDownloadUrlV1: getDownloadUrl,
  getDocumentDownloadUrl: getDownloadUrl,
};
