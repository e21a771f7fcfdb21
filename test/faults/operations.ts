import { webhookTypes } from '#domain/events/payloads.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { pdf } from '../support/files.ts';
import { type ClientRequest, type Outcome, put } from './client.ts';
import { escalateNewFiling, replyToEscalation, setPolicyDocument, uploadFile } from './filings.ts';
import { importMany } from './imports.ts';
import { importAll } from './operator.ts';
import { agencyRecord, associationsPath, type Carrier } from './organizations.ts';
import { chosen, draw } from './seeded.ts';

/** What carriers, agencies and operators do, and how often: parts of the whole. */
export const kinds = {
  add: 22,
  join: 8,
  move: 8,
  invite: 8,
  patch: 34,
  upload: 12,
  announce: 6,
  config: 3,
  sync: 10,
  rotate: 5,
  reply: 10,
  document: 6,
  escalate: 6,
  agent: 6,
  'add webhook': 3,
  'sign in': 6,
  'rotate keys': 1,
  sweep: 1,
  agents: 2,
  associations: 3,
  licenses: 5,
  filings: 2,
  policies: 6,
  transactions: 10,
} as const;

export type Kind = keyof typeof kinds;

/** What an operation did, or tried to do, while things went wrong: one change, of which an import has many. */
export interface Done {
  /** Of the operation. */
  readonly number: number;
  readonly kind: Kind;
  readonly carrier: Carrier;
  /** Marks what it wrote: nothing else has it. */
  readonly mark: string;
  /** What it was about: an association, a document, a filing. */
  readonly subject: string;
  readonly outcome: Outcome;
}

const states = ['TX', 'OK', 'CA', 'NY', 'FL', 'LA'] as const;

/** What an operation came to. */
export interface Worked {
  readonly subject: string;
  /** Of one that changes many records. */
  readonly changes?: readonly Pick<Done, 'mark' | 'subject'>[];
  readonly outcome: Outcome;
}

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** What all steps of an operation share. */
export interface Step {
  readonly carrier: Carrier;
  readonly mark: string;
  readonly number: number;
  /** An association and a filing that others work on too. */
  readonly target: string;
  readonly filingId: string;
  /** An agency that is imported again while carriers add it. */
  readonly agencyId: string;
  /** Rotates the secret that signs access tokens. */
  readonly rotateKeys: () => Promise<Outcome>;
  /** Sweeps licenses as of the day of the run. */
  readonly sweep: () => Promise<Outcome>;
  readonly call: (
    method: string,
    path: string,
    body?: ClientRequest['body'],
    headers?: ClientRequest['headers'],
  ) => Promise<Outcome>;
  readonly receiver: EventReceiver;
  /** How many records an import has, or three times as many where one write takes many. */
  readonly recordsAtOnce: number;
  /** Imports when those before it are done. */
  readonly importing: InTurn;
}

const agency = ({ mark, number }: Step) => ({
  downstreamEntityName: mark,
  firstName: 'Ana',
  lastName: 'Reyes',
  email: `ana.${number}@agency.example`,
  category: 'agency',
  externalId: mark,
});

/** How each is done. */
export const work: Readonly<Record<Kind, (step: Step) => Promise<Worked>>> = {
  async add(step) {
    // A config that changes is looked at for every NPN: a few do.
    const npn = step.number % 8 === 0 ? { downstreamEntityNpn: String(20_000_000 + step.number) } : {};
    const body = { ...agency(step), isNpnRequired: step.number % 8 === 0, ...npn };
    const outcome = await step.call('POST', `${associationsPath}/add`, body);
    return { subject: String(outcome.data['_id']), outcome };
  },
  async join(step) {
    const names = { downstreamEntityId: step.agencyId, branchName: step.mark };
    const body = { ...agency(step), isNpnRequired: false, ...names };
    const outcome = await step.call('POST', `${associationsPath}/add`, body);
    // One that is refused has no id; what it was about is the agency.
    return { subject: String(outcome.data['_id'] ?? step.agencyId), outcome };
  },
  async move({ carrier, agencyId, mark, number }) {
    const organizationId = carrier.agencies[Math.floor(draw(number, 'organization') * 3)];
    const npn = String(50_000_000 + number);
    return {
      subject: agencyId,
      outcome: await importAll(undefined, [agencyRecord(agencyId, mark, npn, organizationId)]),
    };
  },
  async invite(step) {
    const body = { ...agency(step), isNpnRequired: false };
    const outcome = await step.call('POST', `${associationsPath}/invite`, body);
    return { subject: String(outcome.data['downstreamEntityAssociationId']), outcome };
  },
  async patch({ call, target, mark }) {
    const outcome = await call('PATCH', `${associationsPath}/${target}`, { externalId: mark });
    return { subject: target, outcome };
  },
  async upload(step) {
    const outcome = await uploadFile(step);
    return { subject: String(outcome.data['_id']), outcome };
  },
  async announce({ call, mark }) {
    const content = new Uint8Array(pdf(mark));
    const announced = await call('POST', '/v2/upstream/file-documents', {
      category: 'Surplus Lines',
      fileName: mark,
      contentType: 'application/pdf',
      sizeInBytes: content.length,
    });
    const subject = String(announced.data['_id']);
    if (announced.status !== 201) return { subject, outcome: announced };
    const { url, headers } = announced.data['upload'] as { url: string; headers: Record<string, string> };
    await put(url, headers, content);
    // Its first use makes it available.
    const used = await call('GET', `/v2/upstream/file-documents/${subject}/download-url`);
    return { subject, outcome: used };
  },
  async config({ call, carrier, mark, number }) {
    const body = {
      productName: mark,
      states: [
        {
          stateCode: chosen(states, draw(number, 'state')),
          linesOfAuthority: [],
          appointment: 'not required',
        },
      ],
    };
    const outcome = await call('PUT', `/v2/upstream/compliance-configs/${carrier.productId}`, body);
    return { subject: carrier.productId, outcome };
  },
  async sync({ call, target }) {
    return { subject: target, outcome: await call('POST', `${associationsPath}/${target}/sync`) };
  },
  async rotate({ call, carrier, receiver }) {
    const { webhookId } = carrier;
    const outcome = await call('POST', `/v2/upstream/webhooks/${webhookId}/rotate-secret`);
    if (outcome.status === 200) receiver.addSecret(webhookId, String(outcome.data['secret']));
    return { subject: webhookId, outcome };
  },
  reply: replyToEscalation,
  document: setPolicyDocument,
  escalate: escalateNewFiling,
  async agent({ carrier: { organizationId }, mark, number }) {
    const _id = derivedObjectId(organizationId, mark);
    const npn = String(40_000_000 + number);
    const agent = { type: 'agent', _id, npn, firstName: 'Maria', lastName: mark };
    return { subject: _id, outcome: await importAll(organizationId, [agent], true) };
  },
  async 'add webhook'({ call, number, receiver }) {
    const url = receiver.url(`/deleted-${number}`);
    const added = await call('POST', '/v2/upstream/webhooks', { url, types: webhookTypes });
    const subject = String(added.data['_id']);
    if (added.status !== 201) return { subject, outcome: added };
    return { subject, outcome: await call('DELETE', `/v2/upstream/webhooks/${subject}`) };
  },
  async 'sign in'({ call, carrier: { clientId, clientSecret } }) {
    const signIn = async () => {
      const signedIn = await call('POST', '/v2/auth/jwt', { clientId, clientSecret }, {});
      if (signedIn.status !== 201) return signedIn;
      const headers = { authorization: `Bearer ${String(signedIn.data['accessToken'])}` };
      return call('GET', '/v2/auth/test-oauth', undefined, headers);
    };
    // Keys are replaced here every few minutes, and read slowly: a client exchanges its credential again (OpenAPI, "Credentials").
    const first = await signIn();
    return { subject: clientId, outcome: first.status === 401 ? await signIn() : first };
  },
  async 'rotate keys'({ rotateKeys }) {
    return { subject: 'keys', outcome: await rotateKeys() };
  },
  async sweep({ sweep }) {
    return { subject: 'licenses', outcome: await sweep() };
  },
  agents: importMany('agents'),
  associations: importMany('associations'),
  licenses: importMany('licenses'),
  filings: importMany('filings'),
  policies: importMany('policies'),
  transactions: importMany('transactions'),
};
