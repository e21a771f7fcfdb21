import * as z from 'zod/mini';
import { call, newOrganization, type Organization } from './local-api.ts';

/** Path of the routes of carriers. */
export const path = '/v2/upstream/file-documents';
/** Content type of DOCX. */
export const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const documentShape = z.object({
  _id: z.string(),
  status: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  sizeInBytes: z.number(),
  versions: z.array(z.looseObject({ version: z.number() })),
  upload: z.optional(
    z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  ),
});
/** The answer with a download link. */
const linkShape = z.object({ url: z.string(), expiresAt: z.string() });

/** The document in an answer. */
export const documentIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  z.parse(documentShape, json['data']);

type Fields = Readonly<Record<string, string>>;

/** Uploads a file in a form. */
export async function upload(
  owner: Organization,
  bytes: Buffer,
  fileName: string,
  options: { readonly at?: string; readonly fields?: Fields; readonly headers?: Fields } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ category: 'Surplus Lines', ...options.fields }))
    form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), fileName);
  // Encoded here, so that two requests with one idempotency key are identical byte for byte.
  const encoded = new Response(form);
  const response = await fetch(`${process.env['TEST_BASE_URL']}${options.at ?? path}`, {
    method: 'POST',
    headers: {
      ...owner.bearer,
      ...options.headers,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: await encoded.arrayBuffer(),
  });
  const json = z.parse(z.record(z.string(), z.unknown()), await response.json());
  return { status: response.status, headers: response.headers, json };
}

/** Announces a file that is uploaded through a presigned URL. */
export const announce = (owner: Organization, body: object, headers: Fields = {}, at = path) =>
  call('POST', at, {
    headers: { ...owner.bearer, ...headers },
    body: {
      category: 'Surplus Lines',
      fileName: 'certificate.pdf',
      contentType: 'application/pdf',
      ...body,
    },
  });

/** Uploads bytes to the presigned URL of an announcement; returns the status. */
export async function send(announced: { readonly json: Readonly<Record<string, unknown>> }, bytes: Buffer) {
  const { upload: address } = documentIn(announced);
  const { 'content-length': _, ...headers } = address?.headers ?? {};
  const response = await fetch(address?.url ?? '', {
    method: address?.method ?? '',
    headers,
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Asks for a download link. */
export const linkTo = (owner: Organization, id: string, at = path) =>
  call('GET', `${at}/${id}/download-url`, { headers: owner.bearer });

/** Downloads a document through its link. */
export async function download(owner: Organization, id: string, at = path) {
  const { url } = z.parse(linkShape, (await linkTo(owner, id, at)).json['data']);
  const response = await fetch(url);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** A new carrier. Writes are counted per credential, so each group of tests has its own. */
export const carrier = (): Promise<Organization> => newOrganization('upstreamEntity');
