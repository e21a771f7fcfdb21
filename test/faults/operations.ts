import { derivedEventId } from '#domain/events/stored.ts';
import { subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { pdf } from '../support/files.ts';
import { agent, license, transaction } from '../support/import-lines.ts';
import { chosen, draw } from '../support/seeded.ts';
import { type Carrier, place } from './carriers.ts';
import { importAll, type Outcome, request } from './client.ts';

/** Operations and how often each is done: parts of the whole. */
const kinds = {
  add: 22,
  patch: 34,
  upload: 14,
  reply: 12,
  config: 3,
  sync: 10,
  agents: 3,
  associations: 3,
  licenses: 5,
  transactions: 10,
} as const;

export type Kind = keyof typeof kinds;

/** A change that an operation made; an import has many. */
export interface Done {
  readonly kind: Kind | 'sweep';
  readonly carrier: Carrier;
  /** Mark of what it wrote: nothing else has it. */
  readonly mark: string;
  /** Id of what it was about; of an imported license, of its NPN's subscription; of a synchronization, of its event. */
  readonly subject: string;
  readonly outcome: Outcome;
}

type Change = Pick<Done, 'mark' | 'subject'>;

interface Step {
  readonly carrier: Carrier;
  readonly mark: string;
  readonly number: number;
  /** Association that others work on too. */
  readonly target: string;
  /** Number of an import's records. */
  readonly recordsAtOnce: number;
  readonly send: (method: string, path: string, body?: object, rest?: object) => Promise<Outcome>;
}

interface Worked {
  readonly subject: string;
  readonly outcome: Outcome;
  readonly changes?: readonly Change[];
}

const associationsPath = '/v2/upstream/downstream-entity-associations';

/** Licenses of an NPN, and transactions of a policy, in one import: what is derived of each has fewer to derive. */
const together = 45;

/** An import of records with a mark each. @param factor how many times as many records it has, where one write takes many. */
const importOf =
  (
    recordOf: (
      step: Step,
      mark: string,
      group: string,
    ) => { readonly subject: string; readonly record: object },
    factor = 1,
  ) =>
  async (step: Step): Promise<Worked> => {
    const changes = Array.from({ length: factor * step.recordsAtOnce }, (_, index) => {
      const mark = `${step.mark}.${index}`;
      // NPNs that the registry does not know.
      const group = `9${String(step.number).padStart(5, '0')}${String(Math.floor(index / (factor === 1 ? 1 : together))).padStart(4, '0')}`;
      return { mark, ...recordOf(step, mark, group) };
    });
    const { organizationId } = step.carrier;
    const records = changes.map(({ record }) => record);
    return { subject: step.mark, changes, outcome: await importAll(organizationId, records, true) };
  };

const work: Readonly<Record<Kind, (step: Step) => Promise<Worked>>> = {
  async add({ mark, number, send }) {
    // A config that changes is looked at for every NPN: a few have one.
    const npn = number % 8 === 0 ? { downstreamEntityNpn: String(20_000_000 + number) } : {};
    const email = `ana.${number}@agency.example`;
    const names = {
      downstreamEntityName: mark,
      firstName: 'Ana',
      lastName: 'Reyes',
      email,
      category: 'agency',
    };
    const body = { ...names, externalId: mark, isNpnRequired: number % 8 === 0, ...npn };
    const outcome = await send('POST', `${associationsPath}/add`, body);
    return { subject: String(outcome.data['_id']), outcome };
  },
  async patch({ mark, target, send }) {
    return {
      subject: target,
      outcome: await send('PATCH', `${associationsPath}/${target}`, { externalId: mark }),
    };
  },
  async upload({ mark, send }) {
    const part = (headers: string, content: string) =>
      `--part\r\ncontent-disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;
    const file = part(`name="file"; filename="${mark}"`, pdf(mark).toString('latin1'));
    const rawBody = `${part('name="category"', 'Surplus Lines')}${file}--part--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=part' };
    const outcome = await send('POST', '/v2/upstream/file-documents', undefined, { rawBody, headers });
    return { subject: String(outcome.data['_id']), outcome };
  },
  async reply({ mark, number, carrier, send }) {
    const filingId = chosen(carrier.filingIds, draw(number, 'filing'));
    const path = `/v2/upstream/surplus-lines-filings/${filingId}/escalation/messages`;
    return { subject: filingId, outcome: await send('POST', path, { ...place, body: mark }) };
  },
  async config({ mark, carrier: { organizationId } }) {
    const productId = derivedObjectId(organizationId, mark);
    const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }];
    // PUT replaces a config that is there: a new one is imported.
    const record = { type: 'compliance-config', productId, productName: mark, states };
    return { subject: productId, outcome: await importAll(organizationId, [record], true) };
  },
  async sync({ target, send }) {
    const outcome = await send('POST', `${associationsPath}/${target}/sync`);
    const { registryDataSubscriptionId, entityInfo } = outcome.data as {
      readonly registryDataSubscriptionId?: string;
      readonly entityInfo?: { readonly jobId: string };
    };
    const words = [registryDataSubscriptionId ?? '', entityInfo?.jobId ?? ''] as const;
    return { subject: derivedEventId('synchronized', ...words), outcome };
  },
  agents: importOf(({ carrier: { organizationId } }, mark, npn) => {
    const _id = derivedObjectId(organizationId, mark);
    return { subject: _id, record: agent({ _id, npn, lastName: mark }) };
  }),
  associations: importOf(({ carrier: { organizationId, brokerageId } }, mark) => {
    const _id = derivedObjectId(organizationId, mark);
    const names = { downstreamEntityId: brokerageId, externalId: mark, branchName: mark };
    return { subject: _id, record: { type: 'association', _id, ...names } };
  }),
  licenses: importOf(
    ({ carrier: { organizationId } }, mark, npn) => ({
      subject: subscriptionIdOf(organizationId, npn),
      record: license({ npn, licenseNumber: mark }),
    }),
    3,
  ),
  transactions: importOf(({ carrier: { organizationId } }, mark, policyNumber) => {
    const _id = derivedObjectId(organizationId, mark);
    const unmatched = { entityMatchStatus: 'unmatched', agentMatchStatus: 'unmatched', matchedAgents: [] };
    const names = { _id, uniqueTransactionId: mark, policyTransactionType: 'Endorsement' };
    return { subject: _id, record: transaction(policyNumber, { ...names, ...unmatched }) };
  }, 3),
};

function kindOf(number: number): Kind {
  let rest = number * Object.values(kinds).reduce((sum, share) => sum + share, 0);
  for (const [kind, share] of Object.entries(kinds)) {
    rest -= share;
    if (rest < 0) return kind as Kind;
  }
  return 'patch';
}

/** Operations under way at once. */
const concurrency = 12;

/** Does operations, which follow from the seed, until they are so many changes. */
export async function operate(
  seed: string,
  wantedChanges: number,
  carriers: readonly Carrier[],
  recordsAtOnce: number,
): Promise<Done[]> {
  const done: Done[] = [];
  let next = 0;
  // An import writes sixteen records at once: of two at a time, this machine answers neither in time.
  let importing: Promise<unknown> = Promise.resolve();
  const worker = async (): Promise<void> => {
    while (done.length < wantedChanges) {
      const number = next;
      next += 1;
      const kind = kindOf(draw(seed, number, 'kind'));
      const carrier = chosen(carriers, draw(seed, number, 'carrier'));
      const mark = `${kind}-${number}`;
      const token = chosen(carrier.tokens, draw(seed, number, 'token'));
      const step: Step = {
        recordsAtOnce,
        carrier,
        mark,
        number,
        target: chosen(carrier.associationIds, draw(seed, number, 'target')),
        send: (method, path, body, { headers, ...rest }: { readonly headers?: object } = {}) =>
          request(method, path, {
            key: derivedEventId(seed, mark),
            headers: { ...token, ...headers },
            ...rest,
            ...(body === undefined ? {} : { body }),
          }),
      };
      const isImport = /^(agents|associations|licenses|transactions)$/.test(kind);
      const working = isImport ? importing.then(() => work[kind](step)) : work[kind](step);
      if (isImport) importing = working.catch(() => undefined);
      const { subject, outcome, changes = [{ mark, subject }] } = await working;
      done.push(...changes.map((change) => ({ kind, carrier, outcome, ...change })));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return done;
}
