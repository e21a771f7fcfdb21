import { setTimeout as pause } from 'node:timers/promises';
import { derivedEventId } from '../../shared/domain/events/stored.ts';
import { webhookTypes } from '../../shared/domain/webhooks/resource.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { pdf } from '../support/files.ts';
import { rotateSigningSecret } from '../support/local-api.ts';
import { type ClientRequest, type Outcome, put, request } from './client.ts';
import { escalateNewFiling, replyToEscalation, setPolicyDocument, uploadFile } from './filings.ts';
import { type ImportKind, importKinds, importMany, recordsOf } from './imports.ts';
import { importAll, sweepLicenses } from './operator.ts';
import { agencyRecord, associationsPath, type Carrier } from './organizations.ts';
import { chosen, draw } from './seeded.ts';

/** What carriers, agencies and operators do, and how often: parts of the whole. */
const kinds = {
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
  agents: 3,
  associations: 6,
  licenses: 5,
  filings: 6,
  policies: 6,
  transactions: 8,
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

const kindOf = (number: number): Kind => {
  let rest = number * Object.values(kinds).reduce((sum, share) => sum + share, 0);
  for (const [kind, share] of Object.entries(kinds)) {
    rest -= share;
    if (rest < 0) return kind as Kind;
  }
  return 'patch';
};

const states = ['TX', 'OK', 'CA', 'NY', 'FL', 'LA'] as const;

/** What an operation came to. */
export interface Worked {
  readonly subject: string;
  /** Of one that changes many records. */
  readonly changes?: readonly Pick<Done, 'mark' | 'subject'>[];
  readonly outcome: Outcome;
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

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

const work: Readonly<Record<Kind, (step: Step) => Promise<Worked>>> = {
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
    return { subject: String(outcome.data['_id']), outcome };
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
    const signedIn = await call('POST', '/v2/auth/jwt', { clientId, clientSecret }, {});
    if (signedIn.status !== 201) return { subject: clientId, outcome: signedIn };
    const headers = { authorization: `Bearer ${String(signedIn.data['accessToken'])}` };
    return { subject: clientId, outcome: await call('GET', '/v2/auth/test-oauth', undefined, headers) };
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

/** A version signs once it is two minutes old, six seconds here; until then the one before it has to be there. */
const betweenRotationsMs = 10_000;

const isImport = (kind: Kind): kind is ImportKind => importKinds.some((one) => one === kind);

/** Does what it is given, one after the other. */
function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Operations under way at once. */
const concurrency = 12;

/** Does operations, which follow from the seed, until they are so many changes, each as a client that tries until it is answered. */
export async function operate(
  seed: string,
  wanted: number,
  carriers: readonly Carrier[],
  {
    receiver,
    today,
    recordsAtOnce,
    restore,
  }: Pick<Step, 'receiver' | 'recordsAtOnce'> & {
    readonly today: CalendarDate;
    /** Done once, in the middle of it. */
    readonly restore: () => Promise<void>;
  },
): Promise<Done[]> {
  const done: Done[] = [];
  let next = 0;
  let begun = 0;
  const restoreAfter = wanted * draw(seed, 'restore') * 0.8;
  let restored: Promise<void> | undefined;
  // An operator does one sweep after the other.
  const sweeping = inTurn();
  const sweep = () => sweeping(() => sweepLicenses(today));
  // A token that was signed before is still good: its version is at least the previous one.
  const rotating = inTurn();
  const rotateKeys = (): Promise<Outcome> => {
    const rotated = rotating(async () => {
      await rotateSigningSecret();
      return { status: 200, data: {}, tries: 1 };
    });
    void rotating(() => pause(betweenRotationsMs));
    return rotated;
  };
  // More imports at once are more than the engine on this machine answers in time.
  const importers = [inTurn(), inTurn(), inTurn()];
  const worker = async (): Promise<void> => {
    while (begun < wanted) {
      const number = next;
      next += 1;
      const kind = kindOf(draw(seed, number, 'kind'));
      begun += isImport(kind) ? recordsOf(kind, recordsAtOnce) : 1;
      if (begun >= restoreAfter && restored === undefined) restored = restore();
      await restored;
      const carrier = chosen(carriers, draw(seed, number, 'carrier'));
      const mark = `${kind}-${number}`;
      const headers = chosen(carrier.tokens, draw(seed, number, 'token'));
      const idempotencyKey = derivedEventId(seed, mark);
      const { subject, outcome, changes } = await work[kind]({
        recordsAtOnce,
        importing: chosen(importers, draw(seed, number, 'importer')),
        carrier,
        mark,
        number,
        receiver,
        sweep,
        rotateKeys,
        agencyId: chosen(carrier.agencyIds, draw(seed, number, 'agency')),
        target: chosen(carrier.associationIds, draw(seed, number, 'target')),
        filingId: chosen(carrier.filingIds, draw(seed, number, 'filing')),
        call: (method, path, body, others) =>
          request({
            method,
            path,
            headers: others ?? headers,
            ...(method === 'GET' ? {} : { idempotencyKey }),
            ...(body === undefined ? {} : { body }),
          }),
      });
      for (const change of changes ?? [{ mark, subject }])
        done.push({ number, kind, carrier, outcome, ...change });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done;
}
