// A carrier and an agency for the importing test file, and filings that an operator imports for them.

import type { Filing } from '#domain/filings/view.ts';
import { newId } from './filings.ts';
import { filing, namedAgency } from './import-lines.ts';
import { call, importRecords, newOrganizations, type Organization } from './local-api.ts';

/** The carrier that owns the filings. */
export let carrier: Organization;
/** The agency of the filings. */
export let agency: Organization;

const downstreamEntityId = newId();
export const upstreamFilings = '/v2/upstream/surplus-lines-filings';
export const agencyFilings = '/v2/downstream/surplus-lines-filings';
/** Text of what only the service's staff may see. */
export const secret = 'never to be seen';
/** The checklist item that has an open escalation. */
export const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** An import record of a filing whose item `affidavit` has an escalation that waits for the customer. */
const record = {
  status: 'in progress',
  grossPremium: 12_500.5,
  downstreamEntityId,
  checklist: [
    {
      sourceCategoryId: 'documents',
      name: 'Documents',
      items: [
        {
          sourceTaskId: 'affidavit',
          label: 'Signed affidavit',
          escalation: {
            status: 'waiting customer input',
            openedAt: '2026-03-01T14:05:09.123Z',
            messages: [{ authorType: 'service', body: 'Please sign.', sentAt: '2026-03-01T14:05:09.123Z' }],
          },
        },
        { sourceTaskId: 'invoice', label: 'Invoice', checked: true },
        {
          sourceTaskId: 'private',
          label: 'Review',
          escalation: {
            category: 'private',
            status: 'waiting customer input',
            messages: [{ authorType: 'service', body: secret, sentAt: '2026-03-01T14:05:09.123Z' }],
          },
        },
      ],
    },
    {
      sourceCategoryId: 'internal',
      name: secret,
      isInternal: true,
      items: [{ sourceTaskId: 'check', label: secret, checked: true }],
    },
  ],
};

/** Imports a filing and returns its id. */
export async function newFiling(owner = carrier, fields: object = {}): Promise<string> {
  const _id = newId();
  await importRecords(owner.organizationId, filing(_id, { ...record, ...fields }));
  return _id;
}

/** Uploads a PDF in a form and returns the id of its document. */
export async function upload(owner: Organization, bytes: Buffer): Promise<string> {
  const path = owner === agency ? '/v2/downstream/documents' : '/v2/upstream/file-documents';
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'affidavit.pdf');
  const response = await fetch(`${process.env['TEST_BASE_URL']}${path}`, {
    method: 'POST',
    headers: owner.bearer,
    body: form,
  });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { readonly data: { readonly _id: string } };
  return data._id;
}

/** The filing in an answer's body. */
export const filingIn = (json: Readonly<Record<string, unknown>>): Filing => json['data'] as Filing;

/** Reads a filing. */
export const read = async (path: string, owner: Organization): Promise<Filing> => {
  const { status, json } = await call('GET', path, { headers: owner.bearer });
  expect(status).toBe(200);
  return filingIn(json);
};

/** Sends a write, with an idempotency key if one is given. */
export const write = (
  method: 'POST' | 'PUT',
  path: string,
  owner: Organization,
  body: object,
  key?: string,
) =>
  call(method, path, {
    headers: { ...owner.bearer, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  });

/** Downloads from a presigned URL, which needs no credential. */
export async function download(url: string | undefined) {
  const response = await fetch(url ?? '');
  expect(response.status).toBe(200);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
  };
}

beforeAll(async () => {
  [carrier, agency] = await newOrganizations('upstreamEntity', 'downstreamEntity');
  const downstreamOrganizationId = agency.organizationId;
  await importRecords(
    undefined,
    namedAgency(downstreamEntityId, 'Lone Star Brokerage', { downstreamOrganizationId }),
  );
});
