import { createFileDocument } from './create-file-document.ts';
import { getDownloadUrl, getFileDocument, listDocuments } from './read-file-document.ts';

/** The operation of each row of the file documents table; surfaces and versions share operations. */
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
