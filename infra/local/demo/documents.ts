import * as z from 'zod/mini';
import type { DemoClient } from './client.ts';

/** Files of the demo and how they are uploaded. */

/** A single page that shows the text; minimal, but readable by every PDF viewer. */
const pdf = (text: string): Uint8Array => {
  const content = `BT /F1 18 Tf 72 720 Td (${text.replace(/[()\\]/g, '')}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let written = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = written.length;
    written += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = written.length;
  const size = objects.length + 1;
  return Buffer.from(
    `${written}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`,
    'latin1',
  );
};

/** Uploads a document as the client's organization and returns its id. */
export async function uploadDocument(client: DemoClient, path: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'W9');
  form.set('file', new File([pdf('W-9')], 'w9.pdf', { type: 'application/pdf' }));
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
  const file = pdf('Accepted and stamped');
  const type = 'accepted stamped';
  const announced = await command('announce-completion-artifact', {
    filingId,
    type,
    fileName: 'accepted-stamped.pdf',
    contentType: 'application/pdf',
    sizeInBytes: file.length,
  });
  const { fileDocumentId, upload } = z.parse(announcedFile, announced);
  const headers = { 'content-type': 'application/pdf' };
  const { ok, status } = await fetch(upload.url, { method: 'PUT', headers, body: file });
  if (!ok) throw new Error(`Seeding: uploading the artifact returned ${status}.`);
  await command('add-completion-artifact', { filingId, type, fileDocumentId });
  await command('set-filing-status', { filingId, status: 'completed' });
}
