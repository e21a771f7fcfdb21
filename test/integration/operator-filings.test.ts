import * as z from 'zod/mini';
import type { FilingStatus } from '#domain/filings/resource.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { commandsOn } from '../support/admin.ts';
import {
  affidavit,
  imported,
  objectStore,
  operator,
  run,
  store,
  tables,
  upstream,
} from '../support/filings-tests.ts';

describe('the status of a filing', () => {
  it('follows the table of transitions, and to completion with an artifact', async () => {
    const filingId = await imported();
    const steps: FilingStatus[] = ['in progress', 'on hold', 'in progress', 'ready to file', 'filed'];
    for (const status of steps) expect((await operator.setStatus(filingId, status)).status).toBe(status);
    await expect(operator.setStatus(filingId, 'in progress')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    await expect(operator.setStatus(filingId, 'completed')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
    const type = 'accepted stamped';
    const announced = await commandsOn(tables, { objectStore })('announce-completion-artifact', {
      filingId,
      type,
      fileName: 'stamped.html',
      contentType: 'application/pdf',
      sizeInBytes: pdf.length,
    });
    const { fileDocumentId, upload } = z.parse(
      z.object({ fileDocumentId: z.string(), upload: z.object({ url: z.string() }) }),
      announced,
    );
    const add = () => run('add-completion-artifact', { filingId, type, fileDocumentId });
    await expect(add()).rejects.toMatchObject({ errorType: 'validation_error' });
    await objectStore.put(new URL(upload.url).pathname.slice(1), pdf, 'application/pdf');
    expect((await add()).completionArtifacts).toEqual([
      {
        type: 'accepted stamped',
        fileName: 'stamped.html.pdf',
        fileDocumentId,
        uploadedAt: expect.any(String),
        downloadUrl: expect.stringContaining(`files/${fileDocumentId}/`),
        viewUrl: expect.any(String),
      },
    ]);
    await expect(add()).rejects.toMatchObject({ errorType: 'not_found' });
    expect((await operator.setStatus(filingId, 'completed')).status).toBe('completed');
    await expect(operator.setStatus(filingId, 'canceled')).rejects.toMatchObject({ errorType: 'conflict' });
  });

  it('returns from on hold to where it was, also when the filing is imported again meanwhile', async () => {
    const filingId = await imported();
    await operator.setStatus(filingId, 'in progress');
    await operator.setStatus(filingId, 'on hold');
    await imported({ _id: filingId, grossPremium: 7 });
    for (const status of ['filed', 'not started', 'ready to file'] as const) {
      await expect(operator.setStatus(filingId, status)).rejects.toMatchObject({
        errorType: 'conflict',
        message: expect.stringContaining('to in progress, canceled'),
      });
    }
    expect((await operator.setStatus(filingId, 'in progress')).status).toBe('in progress');
    await operator.setStatus(filingId, 'ready to file');
    await operator.setStatus(filingId, 'on hold');
    await expect(operator.setStatus(filingId, 'in progress')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    expect((await operator.setStatus(filingId, 'canceled')).status).toBe('canceled');
  });

  it('is rejected for an unknown filing', async () => {
    await expect(operator.setStatus(newObjectId(new Date()), 'filed')).rejects.toMatchObject({
      errorType: 'not_found',
    });
  });
});

describe('escalations', () => {
  it('are opened, discussed, resolved, and reopened', async () => {
    const filingId = await imported();
    const place = { filingId, ...affidavit };
    const opened = await operator.openEscalation(place, 'Please sign.');
    expect(opened.actionRequired).toBe(true);
    expect(opened.escalations).toMatchObject([
      {
        status: 'waiting customer input',
        resolvedAt: null,
        messages: [{ authorType: 'service', body: 'Please sign.', attachments: [] }],
      },
    ]);
    await expect(operator.openEscalation(place)).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const reminded = await operator.messageEscalation(place, 'A reminder.');
    expect(reminded.escalations[0]?.messages.map(({ body }) => body)).toEqual([
      'Please sign.',
      'A reminder.',
    ]);
    const resolved = await operator.resolveEscalation(place);
    expect(resolved).toMatchObject({ actionRequired: false, escalations: [{ status: 'resolved' }] });
    await expect(operator.messageEscalation(place, 'More.')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    await expect(operator.openEscalation(place, undefined, 'private')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const again = await operator.openEscalation(place, 'Once more.');
    expect(again.escalations[0]).toMatchObject({ status: 'waiting customer input', resolvedAt: null });
    expect(again.escalations[0]?.messages).toHaveLength(3);
  });

  it('wait for no customer of a closed filing', async () => {
    const filingId = await imported();
    const place = { filingId, ...affidavit };
    await operator.openEscalation(place, 'Please sign.');
    const isRefused = { errorType: 'conflict', message: expect.stringContaining('waits for the customer') };
    await expect(operator.setStatus(filingId, 'canceled')).rejects.toMatchObject(isRefused);
    await operator.resolveEscalation(place);
    expect((await operator.setStatus(filingId, 'canceled')).actionRequired).toBe(false);
    await expect(operator.openEscalation(place, 'Please sign.')).rejects.toMatchObject(isRefused);
  });

  it('that are private are never shown', async () => {
    const filingId = await imported();
    const shown = await operator.openEscalation({ filingId, ...affidavit }, 'Between us.', 'private');
    expect(shown).toMatchObject({ actionRequired: false, escalations: [] });
    expect(JSON.stringify(shown)).not.toContain('Between us');
  });

  it('are rejected for an item that the filing does not have', async () => {
    const filingId = await imported();
    await expect(
      operator.openEscalation({ filingId, ...affidavit, sourceTaskId: 'unknown' }),
    ).rejects.toMatchObject({ details: { issues: [{ path: 'sourceTaskId' }] } });
  });

  it('lose no message of concurrent operators', async () => {
    const filingId = await imported();
    const place = { filingId, ...affidavit };
    await operator.openEscalation(place);
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => operator.messageEscalation(place, `Message ${index}`)),
    );
    const found = await store().find('upstream', upstream, filingId);
    expect(found?.messages).toHaveLength(5);
    expect(found?.filing).toMatchObject({ messageCount: 5, version: 7 });
  });
});
