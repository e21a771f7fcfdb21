import { attachFiles } from './attach-files.ts';
import { getFiling } from './get-filing.ts';
import { listAgencyFilings, listFilings } from './list-filings.ts';
import { replyToEscalation } from './reply-to-escalation.ts';
import { setPolicyDocument } from './set-policy-document.ts';

/** The operation of each row of the filings table; surfaces and versions share operations. */
export const surplusLinesFilingOperations = {
  listFilings,
  getFiling,
  setPolicyDocument,
  attachFiles,
  replyToEscalation,
  listAgencyFilings,
  getAgencyFiling: getFiling,
  setAgencyPolicyDocument: setPolicyDocument,
  attachAgencyFiles: attachFiles,
  replyToAgencyEscalation: replyToEscalation,
  getFilingV1: getFiling,
};
