// Apart from what makes calls with it: file documents and remembered answers.
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { clientDefaults } from './calls.ts';

const defaults = clientDefaults('s3');

/** The S3 client of a function. */
export const createS3Client = (options: S3ClientConfig = {}): S3Client =>
  new S3Client({
    ...defaults,
    // An answer may stop half way through its bytes.
    requestHandler: { ...defaults.requestHandler, socketTimeout: defaults.requestHandler.requestTimeout },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...options,
  });
