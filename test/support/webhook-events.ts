// A receiver of webhooks for the importing test file, and what organizations do to cause events.
import { type WebhookType, webhookTypes } from '#domain/events/payloads.ts';
import { type EventReceiver, startEventReceiver } from './event-receiver.ts';
import { pdf } from './files.ts';
import { call, type Organization } from './local-api.ts';
import type { Reply } from './receiver.ts';

/** Path of the routes of webhooks. */
export const webhooks = '/v2/upstream/webhooks';

export type Data = Readonly<Record<string, unknown>>;

/** Responses of the paths that do not accept every delivery. */
const replies = new Map<string, () => Reply>();

/** The receiver of the importing test file. */
export let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver((path) => replies.get(path)?.() ?? 204);
});

afterAll(() => receiver.close());

/** Calls the API as an organization and returns the data of the answer, which must be a success. */
export async function ask(of: Organization, method: string, path: string, body?: object): Promise<Data> {
  const answer = await call(method, path, { headers: of.bearer, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
  return answer.json['data'] as Data;
}

let paths = 0;

/** Registers a webhook at a path of its own. */
export async function listen(
  of: Organization,
  types: readonly WebhookType[] = webhookTypes,
  reply?: () => Reply,
): Promise<{ readonly path: string; readonly webhookId: string }> {
  paths += 1;
  const path = `/${paths}`;
  if (reply !== undefined) replies.set(path, reply);
  const { _id, secret } = await ask(of, 'POST', webhooks, { url: receiver.url(path), types });
  receiver.addSecret(String(_id), String(secret));
  return { path, webhookId: String(_id) };
}

/** Uploads a file in a form and returns its id. */
export async function upload(of: Organization, fileName: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([new Uint8Array(pdf())], fileName));
  const answer = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/file-documents`, {
    method: 'POST',
    headers: of.bearer,
    body: form,
  });
  expect(answer.status).toBe(201);
  const { data } = (await answer.json()) as { readonly data: { readonly _id: string } };
  return data._id;
}
