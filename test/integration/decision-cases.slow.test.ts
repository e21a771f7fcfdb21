// The cases of the decision as they come in: by operators' imports, by synchronizations, and by the nightly polls of the
// simulated registry; and as carriers ask about them. All cases share the tables, and what is recorded alike is of one NPN.

import { randomUUID } from 'node:crypto';
import { agentKeys, itemOfAgent } from '#domain/agents/stored.ts';
import type { SaleDay } from '#domain/decision/records.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import type { License } from '#domain/registry/resources.ts';
import { createSimulatedRecords, simulatedKeys } from '#domain/registry/simulated-record.ts';
import { createSimulator } from '#domain/registry/simulator.ts';
import { ensureSubscriptions } from '#domain/registry-records/subscriptions.ts';
import { registryRecordsTable } from '#domain/table-designs.ts';
import { tablesOf } from '#domain/tables.ts';
import { itemsOf, tableOf, writesOf } from '#platform/data/table.ts';
import { agentsFunction } from '../../functions/agents/function.ts';
import { agentRoutes } from '../../functions/agents/routes.ts';
import { complianceFunction } from '../../functions/compliance/function.ts';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { jobsOf } from '../../functions/registry-reconciliation/poll.ts';
import { createReconciliationDeps, reconcile } from '../../functions/registry-reconciliation/reconcile.ts';
import { registrySyncFunction } from '../../functions/registry-sync/function.ts';
import type { Case } from '../decision/case-rows.ts';
import { cases } from '../decision/cases.ts';
import type { CaseCommand } from '../decision/commands.ts';
import { producerOf } from '../support/agency-records.ts';
import { carrier, send } from '../support/api-event.ts';
import { associationsOnTables } from '../support/associations.ts';
import { testContext } from '../support/context.ts';
import { inShort } from '../support/extent.ts';
import { transaction } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { deliverMessage, testQueue } from '../support/queue-messages.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { queueJob } from '../support/registry-records.ts';
import { dynamo } from '../support/tables.ts';

/** Reports that are imported later than the registry was asked are left to their own tests. */
const isOfOneMoment = ({ commands }: Case): boolean =>
  commands.every((command) => command.kind === 'sale' || command.recordedAt === undefined);

/** Of what only sale checks are asked, or the simulated registry does not say, the tests of these tell. */
const isOfStatus = ({ commands, question, sale }: Case): boolean =>
  sale === undefined &&
  question.company === undefined &&
  question.npn === undefined &&
  (question.classKinds ?? []).every(({ isOwn }) => isOwn) &&
  commands.every((command) => command.kind !== 'report' || command.unread === undefined);

/** What became of a sale is told where sales are listed, if it is recorded. */
const isOfSale = ({ commands, question }: Case): boolean =>
  question.saleSeenOn !== undefined &&
  commands.some((command) => command.kind === 'sale' && command.sale.day === question.day);

const id = (prefix: string, number: number): string => `${prefix}${String(number).padStart(23, '0')}`;

/** Numbers values; equal ones alike. */
function numbered(): (value: unknown) => number {
  const numbers = new Map<string, number>();
  return (value) => {
    const key = JSON.stringify(value);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}
const [numberOfHolder, numberOfProduct, numberOfCarrier] = [numbered(), numbered(), numbered()];

/**
 * `npm test` does not take every case. The first of each rule shows that what it rests on is recorded and read: what
 * distinguishes its other cases is the decision's, whose own tests have them all.
 */
const areAllAsked = inShort(false, true);

const kept = cases.filter((one) => isOfOneMoment(one) && isOfStatus(one));
const asked = (
  areAllAsked
    ? kept
    : [...Map.groupBy(kept, ({ rule }) => rule).values()].flatMap((ofRule) => ofRule.slice(0, 1))
).map((one) => {
  const { party, carrier, configs, classKinds = [] } = one.question;
  const owner = [carrier, classKinds];
  const holder = numberOfHolder([one.commands, party, owner]);
  return {
    ...one,
    name: `${one.rule}: ${one.example}`,
    npn: String(7_000_000 + holder),
    holderId: id('a', holder),
    productId: id('b', numberOfProduct(configs)),
    carrier: numberOfCarrier(owner),
  };
});
type Asked = (typeof asked)[number];

/** The first case about each holder. */
const holders = [...new Map(asked.toReversed().map((one) => [one.npn, one])).values()];

let time: Date;
const now = (): Date => time;

/** Later than every day and moment that a case asks about. */
const atTheEnd = new Date('2041-01-01T15:00:00.000Z');

let context: Awaited<ReturnType<typeof associationsOnTables>>;
let owners: ReadonlyMap<number, string>;
const ownerOf = (one: Asked): string => owners.get(one.carrier) ?? '';

/** The holder of a case, as an agency. */
const agencyLine = ({ npn, holderId }: Asked): object => ({
  type: 'association',
  _id: holderId,
  downstreamEntity: { npn, legalName: `Agency ${npn}`, category: 'agency' },
});

const isAgent = ({ question: { party } }: Asked): boolean => party === 'agent';

/** Stores the holders of an owner's cases who are agents, and the owner's subscriptions of their NPNs. */
async function putAgents(owner: string, agents: readonly Asked[]): Promise<void> {
  const items = agents.flatMap(({ holderId, npn }) => [
    itemOfAgent(owner, producerOf({ _id: holderId, npn }), time),
    { ...agentKeys.npn(owner, npn), agentId: holderId },
  ]);
  await writesOf(dynamo, context.tables.agents).putAll(items);
  await ensureSubscriptions(
    tableOf(registryRecordsTable, dynamo, context.tables.registryRecords),
    { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' },
    agents.map(({ npn }) => npn),
    { entityModel: 'agent' },
    time,
  );
}

const nameOfProduct = (productId: string): string => `Product ${productId}`;

const configLines = ({ productId, question: { configs } }: Asked) =>
  configs.map(({ recordedAt, ...config }) => ({
    at: recordedAt,
    line: { type: 'compliance-config', productId, productName: nameOfProduct(productId), ...config },
  }));

const classLines = ({ question: { classKinds = [] } }: Asked) =>
  classKinds.map(({ recordedAt, isOwn: _isOwn, ...one }) => ({
    at: recordedAt,
    line: { type: 'class-kind', ...one, ...(one.kind === null ? { kind: 'other', isDeleted: true } : {}) },
  }));

const timeOf = (command: CaseCommand): string =>
  command.kind === 'sale' ? `${command.sale.day}T15:00:00.000Z` : command.at;

const transactionLine = ({ npn, productId }: Asked, { transactionId, day, ...sale }: SaleDay): object =>
  transaction(`${npn} ${transactionId}`, {
    uniqueTransactionId: transactionId,
    agentNpn: npn,
    productName: nameOfProduct(productId),
    riskStateCode: sale.stateCode,
    policyTransactionDate: day,
    ...(sale.carrierNaicCode === undefined ? {} : { carrierNaicCode: sale.carrierNaicCode }),
  });

/** The lines of a command of an import. */
function importedLines(one: Asked, command: CaseCommand): object[] {
  if (command.kind === 'sale') return [transactionLine(one, command.sale)];
  if (command.kind !== 'import') return [];
  const { licenses = [], appointments = [], actions = [] } = command;
  const { npn } = one;
  return [
    ...licenses.map((row) => ({ type: 'license', npn, ...row })),
    ...appointments.map((row) => ({ type: 'appointment', npn, ...row })),
    ...actions.map((row) => ({ type: 'regulatory-action', npn, ...row })),
  ];
}

/** A synchronization reads all lists, so only a case of reports of licenses is synchronized; others are polled. */
const isSynchronized = ({ commands }: Asked): boolean =>
  commands.every((command) => command.kind === 'report' && command.licenses !== undefined);

const unsaid = {
  originOfAction: null,
  reasonForAction: null,
  fileRef: null,
  penaltyFineForfeitureInUSD: null,
};

type RegistryCommand = Extract<CaseCommand, { readonly kind: 'report' | 'not found' }>;

const isOfRegistry = (command: CaseCommand): command is RegistryCommand =>
  command.kind === 'report' || command.kind === 'not found';

/** Has the simulated registry list these rows, and of other kinds of rows nothing. */
async function listed(one: Asked, command: RegistryCommand) {
  const table = tableOf(registryRecordsTable, dynamo, context.tables.registryRecords);
  await table.delete(simulatedKeys.record(one.npn));
  const records = createSimulatedRecords(table);
  if (command.kind === 'not found') return records.set(one.npn, { entity: null });
  const unreported = isSynchronized(one) ? [] : undefined;
  const { licenses, appointments = unreported, actions = unreported } = command;
  return records.set(one.npn, {
    entity: { kind: 'individual', name: 'Maria Delgado' },
    licenses: licenses?.map((row) => ({ ...row, linesOfAuthority: [...row.linesOfAuthority] })),
    appointments: appointments?.map((row) => ({ ...row, appointerStateCoId: null })),
    regulatoryActions: actions?.map((row) => ({
      ...unsaid,
      ...row,
      stateCode: row.stateCode as License['stateCode'],
    })),
  });
}

beforeAll(async () => {
  context = await associationsOnTables();
  context.controls.now = now;
  const { tables } = context;
  const newOwner = organizationsIn(tables.organizations, now);
  const importRecords = importInto(tables, now);
  const registry = createSimulator(tableOf(registryRecordsTable, dynamo, tables.registryRecords), now);
  const logger = recordingLogger();
  const synchronization = registrySyncFunction.compose({
    registry,
    tables: tablesOf(dynamo, tables),
    queue: testQueue,
    context: testContext({ logger, now }),
  });
  const reconciliation = createReconciliationDeps({
    tables: tablesOf(dynamo, tables),
    registry,
    holders: createPartiesOfNpns(tablesOf(dynamo, tables)),
    events: createEventItems(itemsOf(tables.outbox)),
    pollsPerSecond: 100_000,
    mostCallsANight: undefined,
    now,
    log: recordingLogger(),
    onFailure: (_, error) => {
      throw error;
    },
  });

  time = new Date('2019-12-31T15:00:00.000Z');
  const carriers = new Map(asked.map((one) => [one.carrier, one.question.carrier]));
  owners = new Map(
    await Promise.all(
      Array.from(
        carriers,
        async ([number, identity]) => [number, await newOwner('upstreamEntity', identity)] as const,
      ),
    ),
  );

  for (const [owner, agents] of Map.groupBy(holders.filter(isAgent), ownerOf)) await putAgents(owner, agents);
  const imports = [
    ...asked.flatMap((one) =>
      [...configLines(one), ...classLines(one)].map((said) => ({ ...said, owner: ownerOf(one) })),
    ),
    ...holders.flatMap((one) => [
      ...(isAgent(one) ? [] : [{ at: time.toISOString(), owner: ownerOf(one), line: agencyLine(one) }]),
      ...one.commands.flatMap((command) =>
        importedLines(one, command).map((line) => ({
          at: timeOf(command),
          owner: ownerOf(one),
          line,
          complete: command.kind === 'import' && command.isComplete,
        })),
      ),
    ]),
  ];
  // Reports of one moment are one report.
  const lists = holders.flatMap((one) =>
    Array.from(
      Map.groupBy(one.commands.filter(isOfRegistry), (command) => command.at),
      ([at, commands]) => ({ at, one, command: Object.assign({}, ...commands) as (typeof commands)[number] }),
    ),
  );
  const importsAt = Map.groupBy(imports, ({ at }) => at);
  const listsAt = Map.groupBy(lists, ({ at }) => at);
  for (const at of [...new Set([...importsAt.keys(), ...listsAt.keys()])].sort()) {
    time = new Date(at);
    for (const [organizationId, ofOwner] of Map.groupBy(importsAt.get(at) ?? [], ({ owner }) => owner)) {
      for (const [isComplete, ofFile] of Map.groupBy(ofOwner, (one) => 'complete' in one && one.complete)) {
        const lines = [...new Set(ofFile.map(({ line }) => JSON.stringify(line)))];
        const chunk = { organizationId, firstLine: 1, lines, ...(isComplete ? { complete: true } : {}) };
        expect(await importRecords(chunk)).toMatchObject({ rejected: [] });
      }
    }
    const ofNow = listsAt.get(at) ?? [];
    await Promise.all(ofNow.map(({ one, command }) => listed(one, command)));
    const ofNpns = ofNow.map(({ one }) => one);
    await Promise.all(
      ofNpns.filter(isSynchronized).map(async (one) => {
        const job = { organizationId: ownerOf(one), npn: one.npn, jobId: randomUUID() };
        await deliverMessage(synchronization, logger, await queueJob(dynamo, tables.registryRecords, job));
      }),
    );
    const npns = ofNpns.filter((one) => !isSynchronized(one)).map(({ npn }) => npn);
    for (const job of jobsOf(npns, { asOf: time, startedAt: time, position: 0 })) {
      expect(await reconcile(job, reconciliation)).toMatchObject({ npns: job.npns.length, failed: 0 });
    }
  }
  time = atTheEnd;
  // All imports and lists of all cases, one time after the other.
}, 900_000);

interface Status {
  readonly complianceStatus: string;
  readonly licenseStatus: { readonly statusName: string; readonly statusMessages?: string[] };
  readonly appointmentStatus: { readonly statusName: string };
  readonly basis: string;
  readonly configBasis: string;
}

/** What the owner of a case is answered with. */
async function answeredBy<Data>(
  one: Asked,
  ...[pipeline, route, options]: Parameters<typeof send>
): Promise<Data> {
  const identity = { ...carrier, organizationId: ownerOf(one) };
  return (await send(pipeline, route, { identity, ...options })).json['data'] as Data;
}

/** Asks about the holder of a case, who is an agent or an agency. */
async function ask(one: Asked, list: 'LicenseComplianceStatuses' | 'Licenses', query: object) {
  const { question, holderId } = one;
  const given = { query: { ...query, asOf: question.day, knownAt: question.knownAt } };
  if (question.party === 'agency') {
    const { data } = await context.ask(
      ownerOf(one),
      downstreamEntityAssociationRoutes.routes[`listAssociation${list}`],
      { params: { downstreamEntityAssociationId: holderId }, ...given },
    );
    return data;
  }
  const answer = agentsFunction.compose({
    dynamo,
    tables: context.tables,
    context: testContext({ now }),
  });
  const route = agentRoutes.routes[`listAgent${list}`];
  return answeredBy<unknown>(one, answer, route, { params: { agentId: holderId }, ...given });
}

interface Sale {
  readonly agents: readonly Status[];
  readonly reasons: readonly { readonly party: string; readonly code: string }[];
}

/** What is answered about a sale of an agent, by what is known on a day. */
async function askOfSale(one: Asked, seenOn: string): Promise<Sale[]> {
  const { question, holderId } = one;
  const answer = complianceFunction.compose({
    dynamo,
    registry: createSimulator(tableOf(registryRecordsTable, dynamo, context.tables.registryRecords), now),
    questionsADay: 0,
    tables: { ...context.tables, saleReceipts: 'no-sale-receipts' },
    context: testContext({ now }),
  });
  return answeredBy<Sale[]>(one, answer, complianceRoutes.routes.listPolicySales, {
    query: {
      agentId: holderId,
      productId: one.productId,
      stateCode: question.stateCode,
      soldFrom: question.day,
      soldUntil: question.day,
      knownAt: `${seenOn}T23:59:59.999Z`,
    },
  });
}

const expectedStatus = (
  { verdict, licenseStatus, appointmentStatus, basis }: Asked['answer'],
  notKnown: 'NOT_COMPLIANT' | null = 'NOT_COMPLIANT',
) => ({
  complianceStatus: { yes: 'COMPLIANT', no: 'NOT_COMPLIANT', unknown: notKnown }[verdict],
  ...(basis === undefined ? {} : { basis }),
  licenseStatus: { statusName: licenseStatus },
  appointmentStatus: { statusName: appointmentStatus },
});

it.each(asked.filter(({ question }) => question.saleSeenOn === undefined))('$name', async (one) => {
  const { question, answer, productId } = one;
  const { stateCode } = question;
  const [status, ...others] = (await ask(one, 'LicenseComplianceStatuses', {
    stateCode,
    productId,
  })) as Status[];
  expect(others).toEqual([]);
  const { licenses = [], message, configBasis } = answer;
  expect(status).toMatchObject({
    ...expectedStatus(answer),
    ...(configBasis === undefined ? {} : { configBasis }),
  });
  if (message !== undefined) expect(status?.licenseStatus.statusMessages?.join(' ')).toBe(message);
  for (const [ofState, rows] of Map.groupBy(licenses, (row) => row.stateCode)) {
    expect(await ask(one, 'Licenses', { stateCode: ofState })).toMatchObject(rows);
  }
});

it.each(asked.filter(isOfSale))('$name, of a sale', async (one) => {
  const { question, answer } = one;
  const [sale, ...others] = await askOfSale(one, question.saleSeenOn ?? '');
  expect(others).toEqual([]);
  expect(sale?.agents).toMatchObject([expectedStatus(answer, null)]);
  const ofAgent = sale?.reasons.filter(({ party }) => party === 'seller').map(({ code }) => code);
  expect(ofAgent).toEqual(answer.reasons.map((reason) => reason.replace('?', '')));
});

it('is so of all cases but those in which a report is imported later', () => {
  const left = cases.filter((one) => !isOfOneMoment(one)).map(({ rule }) => rule);
  expect([...new Set(left)]).toEqual(['order-of-reports', 'known-at']);
  expect(asked.filter(isSynchronized).length).toBeGreaterThan(areAllAsked ? 40 : 5);
});
