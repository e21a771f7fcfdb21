import { largestFile, largestMultipartFile } from '../../shared/domain/file-documents/file-types.ts';
import { type ApiError, tooLarge } from '../../shared/platform/contract/errors.ts';

/** The error for a file that is too large for a form; it names the way to upload it. */
export const tooLargeForForm = (sizeInBytes: number): ApiError =>
  tooLarge('A form can carry a file of up to 4 MB.', {
    expected: `at most ${largestMultipartFile} bytes in a form, ${largestFile} at a presigned URL`,
    actual: `${sizeInBytes} bytes`,
    instead:
      'Send JSON {category, fileName, contentType, sizeInBytes} to the same path, and the bytes to the presigned URL in the answer.',
  });

/** The error for a file that is too large for any upload. */
export const tooLargeFile = (sizeInBytes: number): ApiError =>
  tooLarge('A file can have up to 10 MB.', {
    expected: `at most ${largestFile} bytes`,
    actual: `${sizeInBytes} bytes`,
  });
