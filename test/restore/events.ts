import * as z from 'zod/mini';
import { anyEvent } from '#domain/events/payloads.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { pdf } from '../support/files.ts';
import { call } from '../support/local-api.ts';
import type { Callers } from './reads.ts';

type Headers = Callers['upstream'];

const page = z.object({
  data: z.object({ items: z.array(anyEvent), next: z.int(), hasMore: z.boolean() }),
});
const created = z.object({ data: z.object({ _id: z.string(), secret: z.optional(z.string()) }) });

/** What `change` and `upload` emit: the demo's own story goes on by the minute, and has events of other types. */
const types = ['DOCUMENT_UPLOADED', 'DOWNSTREAM_ENTITY_UPDATED'];

/** The feed of an organization after a position, up to its end: what `change` and `upload` emitted. */
export async function feedAfter(headers: Headers, position: number) {
  const items: z.output<typeof anyEvent>[] = [];
  for (let next = position; ; ) {
    const { status, text, json } = await call('GET', '/v2/upstream/events', {
      headers,
      query: { after: String(next), types: types.join() },
    });
    if (status !== 200) throw new Error(`The feed after ${next} answered ${status}: ${text}`);
    const { data } = z.parse(page, json);
    items.push(...data.items);
    next = data.next;
    if (!data.hasMore) return { items, next };
  }
}

/** Registers a webhook for all that `change` and `upload` emit. */
export async function listen(headers: Headers, receiver: EventReceiver, path: string): Promise<void> {
  const body = { url: receiver.url(path), types };
  const { json } = await call('POST', '/v2/upstream/webhooks', { headers, body });
  const { _id, secret = '' } = z.parse(created, json).data;
  receiver.addSecret(_id, secret);
}

/** Changes an association, which emits `DOWNSTREAM_ENTITY_UPDATED`. */
export async function change(headers: Headers, associationId: string, externalId: string): Promise<void> {
  const path = `/v2/upstream/downstream-entity-associations/${associationId}`;
  const { status, text } = await call('PATCH', path, { headers, body: { externalId } });
  if (status !== 200) throw new Error(`PATCH ${path} answered ${status}: ${text}`);
}

/** Uploads a file under an idempotency key; returns its id. */
export async function upload(headers: Headers, fileName: string, key: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([new Uint8Array(pdf(fileName))], fileName));
  const response = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/file-documents`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': key },
    body: form,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The upload of ${fileName} answered ${response.status}: ${text}`);
  return z.parse(created, JSON.parse(text)).data._id;
}

/** The content of a file document, through its presigned address. */
export async function download(headers: Headers, fileDocumentId: string): Promise<Buffer> {
  const path = `/v2/upstream/file-documents/${fileDocumentId}/download-url`;
  const { json } = await call('GET', path, { headers });
  const { url } = z.parse(z.object({ data: z.object({ url: z.string() }) }), json).data;
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}
