import * as z from 'zod/mini';
import type { DemoClient } from './client.ts';

/** Files of the demo and how they are uploaded. */

/** A page that every PDF viewer shows. Lines of the cross-reference table end with a space. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 18 Tf 72 720 Td (Demo document) Tj ET
endstreamendobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
xref
0 6
0000000000 65535 f \n\
0000000009 00000 n \n\
0000000052 00000 n \n\
0000000101 00000 n \n\
0000000211 00000 n \n\
0000000300 00000 n \n\
trailer<</Size 6/Root 1 0 R>>
startxref
361
%%EOF
`;

/** Uploads a document as the client's organization and returns its id. */
export async function uploadDocument(client: DemoClient, path: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([pdf], 'affidavit.pdf', { type: 'application/pdf' }));
  return (await client.post(path, form, z.looseObject({ _id: z.string() })))._id;
}

const announcedFile = z.looseObject({
  fileDocumentId: z.string(),
  upload: z.looseObject({ url: z.string() }),
});

/** Completes a filing as an operator does: uploads its artifact and then sets the status. */
export async function completeFiling(
  command: (name: string, input: unknown) => Promise<unknown>,
  filingId: string,
): Promise<void> {
  const type = 'accepted stamped';
  const announced = await command('announce-completion-artifact', {
    filingId,
    type,
    fileName: 'accepted-stamped.pdf',
    contentType: 'application/pdf',
    sizeInBytes: pdf.length,
  });
  const { fileDocumentId, upload } = z.parse(announcedFile, announced);
  const headers = { 'content-type': 'application/pdf' };
  const { ok, status } = await fetch(upload.url, { method: 'PUT', headers, body: pdf });
  if (!ok) throw new Error(`Seeding: uploading the artifact returned ${status}.`);
  await command('add-completion-artifact', { filingId, type, fileDocumentId });
  await command('set-filing-status', { filingId, status: 'completed' });
}
