import { derivedObjectId } from '#platform/data/keys.ts';
import { pdf } from '../support/files.ts';
import { filing } from '../support/import-lines.ts';
import type { Outcome } from './client.ts';
import type { Step, Worked } from './operations.ts';
import { command, importAll } from './operator.ts';

/** The checklist item that every filing here has. */
export const place = { sourceCategoryId: 'signatures', sourceTaskId: 'affidavit' } as const;

/** A filing as an operator imports it. */
export const filingRecord = (fields: {
  readonly _id: string;
  readonly policyNumber: string;
  readonly downstreamEntityId?: string;
}) =>
  filing(fields._id, {
    checklist: [
      {
        sourceCategoryId: place.sourceCategoryId,
        name: 'Signatures',
        items: [{ sourceTaskId: place.sourceTaskId, label: 'Signed affidavit' }],
      },
    ],
    ...fields,
  });

const filingsPath = (side: 'upstream' | 'downstream', filingId: string): string =>
  `/v2/${side}/surplus-lines-filings/${filingId}`;

/** The mark under which a file was uploaded: the service adds the extension. */
export const markOfFile = (fileName: unknown): string => String(fileName).replace(/\.pdf$/, '');

/** Uploads a file under the operation's mark. */
export function uploadFile({ call, mark }: Step): Promise<Outcome> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([new Uint8Array(pdf(mark))], mark));
  return call('POST', '/v2/upstream/file-documents', form);
}

/** Answers an escalation that others answer too, as the carrier or as the agency. */
export async function replyToEscalation({ call, mark, number, filingId, carrier }: Step): Promise<Worked> {
  const [side, headers] =
    number % 2 === 0 ? (['upstream', undefined] as const) : (['downstream', carrier.agencyToken] as const);
  const path = `${filingsPath(side, filingId)}/escalation/messages`;
  return { subject: filingId, outcome: await call('POST', path, { ...place, body: mark }, headers) };
}

/** Uploads a file and makes it the policy of a filing. */
export async function setPolicyDocument(step: Step): Promise<Worked> {
  const { call, filingId } = step;
  const uploaded = await uploadFile(step);
  if (uploaded.status !== 201) return { subject: filingId, outcome: uploaded };
  const body = { fileDocumentId: uploaded.data['_id'] };
  const outcome = await call('PUT', `${filingsPath('upstream', filingId)}/policy-document`, body);
  return { subject: filingId, outcome };
}

/** An operator's work: a filing of its own is imported, taken up, and asked about. */
export async function escalateNewFiling({ carrier: { organizationId }, mark }: Step): Promise<Worked> {
  const filingId = derivedObjectId(organizationId, mark);
  const steps = [
    () => importAll(organizationId, [filingRecord({ _id: filingId, policyNumber: mark })]),
    () => command('set-filing-status', { filingId, status: 'in progress' }),
    () => command('open-escalation', { filingId, ...place, body: mark }),
  ];
  let tries = 1;
  for (const step of steps) {
    const outcome = await step();
    tries += outcome.tries - 1;
    if (outcome.status !== 200) return { subject: filingId, outcome };
  }
  return { subject: filingId, outcome: { status: 200, data: {}, tries } };
}
