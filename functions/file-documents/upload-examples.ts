const announced = {
  _id: '65f0c1d2e3a4b5c6d7e8f9aa',
  category: 'Other Document',
  fileName: 'certificate.pdf',
  contentType: 'application/pdf',
  sizeInBytes: 48_213,
} as const;

/** What the two ways of uploading a file are answered with, in a category that v1 has as well. */
export const uploadExamples = {
  multipart: {
    summary: 'The file was sent as a form',
    value: {
      ...announced,
      status: 'available',
      versions: [
        {
          version: 1,
          fileName: announced.fileName,
          contentType: announced.contentType,
          sizeInBytes: announced.sizeInBytes,
          uploadedAt: '2026-03-01T14:05:09.123Z',
        },
      ],
    },
  },
  presigned: {
    summary: 'The file was announced as JSON, and its bytes are to be sent to `upload.url`',
    value: {
      ...announced,
      status: 'awaiting upload',
      versions: [],
      upload: {
        method: 'PUT',
        url: 'https://files.example/incoming/65f0c1d2?X-Amz-Signature=0a1b',
        headers: { 'content-length': '48213', 'content-type': 'application/pdf' },
        expiresAt: '2026-03-01T15:05:09.123Z',
      },
    },
  },
};

const market = { upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904' };

/** The same for an agency, which sees the market, too. */
export const agencyUploadExamples = {
  multipart: { ...uploadExamples.multipart, value: { ...uploadExamples.multipart.value, ...market } },
  presigned: { ...uploadExamples.presigned, value: { ...uploadExamples.presigned.value, ...market } },
};
