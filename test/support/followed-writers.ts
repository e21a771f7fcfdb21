import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createEventItems } from '#domain/events/outbox.ts';
import type { RegistryReport } from '#domain/registry/registry.ts';
import { exampleRegulatoryAction } from '#domain/registry/resources.ts';
import { upToDate } from '#domain/registry-reconciliation/visit.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import { registryRecordsTable } from '#domain/table-designs.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { itemsOf, tableOf } from '#platform/data/table.ts';
import { createSynchronizationStore } from '../../functions/registry-sync/store.ts';
import { type FollowedTables, functionsOn, routes } from './followed-lists.ts';
import { reportOf } from './holders.ts';
import { filing } from './import-lines.ts';

/** An instance of the functions: its client, which may stop in the middle, and its clock. */
export interface Instance {
  readonly client: DynamoDBClient;
  readonly now: () => Date;
}

interface World {
  readonly tables: FollowedTables;
  readonly carriers: readonly string[];
  /** Organizations of agencies. */
  readonly agencyOrganizations: readonly string[];
  /** A whole number below another one, from the test's seed. */
  readonly below: (count: number) => number;
  /** How many records of each kind there are to write. */
  readonly pool: number;
}

/** A change that an instance makes; it answers how many records it wrote. */
export type Write = (instance: Instance) => Promise<number>;

const npnOf = (index: number): string => String(20_000_000 + index);

/**
 * What writes to the records of followed lists, and to what is shown with them: imports, moves and deletions, POST and
 * PATCH, synchronizations, and the nightly poll of the registry.
 */
export function followedWriters({
  tables,
  carriers,
  agencyOrganizations,
  below,
  pool,
}: World): readonly Write[] {
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const isDeleted = () => below(6) === 0;
  const idOf = (kind: string, index: number) => derivedObjectId(kind, String(index));
  const functions = ({ client, now }: Instance) => functionsOn(tables, client, now);

  const importing =
    (recordOf: (index: number, carrier: string) => object, isOfPlatform = false): Write =>
    async (instance) => {
      const carrier = oneOf(carriers);
      const records = Array.from({ length: 1 + below(3) }, () => recordOf(below(pool), carrier));
      const owner = isOfPlatform ? undefined : carrier;
      const { imported } = await functions(instance).importFor(owner, ...records);
      return imported;
    };

  const policy = (index: number, carrier: string) => ({
    type: 'policy',
    _id: idOf(`policy ${carrier}`, index),
    policyNumber: `P-${index}`,
    riskStateCode: oneOf(['TX', 'OK', 'LA']),
    premium: below(10_000),
    isDeleted: isDeleted(),
  });
  const transaction = (index: number) => ({
    type: 'policy-transaction',
    policyNumber: `T-${index}`,
    policyTransactionType: 'Endorsement',
    policyTransactionDate: '2026-01-01',
    riskStateCode: oneOf(['TX', 'OK', 'LA']),
    premium: below(10_000),
  });
  const agent = (index: number, carrier: string) => ({
    type: 'agent',
    _id: idOf(`agent ${carrier}`, index),
    // Half of the producers have the NPN of an agency, as sole proprietors do.
    npn: npnOf(index),
    firstName: 'Maria',
    lastName: `Delgado ${below(1_000)}`,
    isDeleted: isDeleted(),
  });
  const license = (index: number) => ({
    type: 'license',
    status: 'active',
    licenseClassName: 'Insurance Producer',
    residencyStatus: 'resident',
    npn: npnOf(index),
    stateCode: oneOf(['TX', 'OK']),
    licenseNumber: '100',
    issueDate: '2020-01-01',
    nextRenewalDate: `20${27 + below(9)}-03-31`,
    ...(below(4) === 0 ? { statusDate: `202${below(6)}-05-01` } : {}),
    isDeleted: isDeleted(),
  });
  /** What the registry says: of licenses and appointments sometimes nothing, now and then more than one transaction writes. */
  const report = (): RegistryReport => {
    const some = Array.from({ length: below(12) === 0 ? 110 : below(3) }, (_, index) => index);
    return reportOf({
      licenses: some.map((index) => ({
        licenseNumber: String(100 + index),
        issueDate: oneOf([null, '2020-01-01', '2024-01-01']),
      })),
      ...(below(3) === 0
        ? {}
        : {
            appointments: some
              .slice(0, 2)
              .map((index) => ({ companyCode: String(index), statusChangeDate: `202${below(6)}-01-01` })),
          }),
      actions: below(3) === 0 ? [action(`${below(3)}`)] : [],
    });
  };
  const action = (actionId: string) => {
    const { _id, registryDataSubscriptionId, npn, createdAt, updatedAt, ...own } = exampleRegulatoryAction;
    return { ...own, actionId, fileRef: `F-${below(1_000)}` };
  };
  const regulatoryAction = (index: number) => ({
    type: 'regulatory-action',
    npn: npnOf(index),
    ...action(`${below(3)}`),
    isDeleted: isDeleted(),
  });
  const filingOf = (index: number, carrier: string) =>
    filing(idOf(`filing ${carrier}`, index), {
      policyNumber: `P-${index}`,
      namedInsured: `Insured ${below(1_000)}`,
      grossPremium: below(10_000),
      isDeleted: isDeleted(),
    });
  const agencies = Math.max(2, Math.floor(pool / 2));
  const agency = (index: number) => ({
    type: 'downstream-entity',
    _id: idOf('agency', index % agencies),
    legalName: `Agency ${below(1_000)}`,
    npn: oneOf([null, npnOf(index % agencies)]),
    isNpnRequired: false,
    ...(below(2) === 0 ? {} : { downstreamOrganizationId: oneOf(agencyOrganizations) }),
    isDeleted: isDeleted(),
  });
  const association = (index: number, carrier: string) => ({
    type: 'association',
    _id: idOf(`association ${carrier}`, index),
    downstreamEntityId: idOf('agency', index % agencies),
    branchName: `Branch ${index}`,
    externalId: `${index}-${below(1_000)}`,
    isDeleted: isDeleted(),
  });

  const onAssociation = async (
    instance: Instance,
    route: (typeof routes)['updateAssociation' | 'syncAssociation'],
    body?: object,
  ) => {
    const carrier = oneOf(carriers);
    const params = { downstreamEntityAssociationId: idOf(`association ${carrier}`, below(pool)) };
    const { status, data } = await functions(instance).ask(carrier, route, { params, body });
    return { carrier, isDone: status < 300, data };
  };

  const patch: Write = async (instance) => {
    const body = { producerCode: `C-${below(1_000_000)}` };
    return (await onAssociation(instance, routes.updateAssociation, body)).isDone ? 1 : 0;
  };

  const add: Write = async (instance) => {
    const { status } = await functions(instance).ask(oneOf(carriers), routes.addAssociation, {
      body: {
        downstreamEntityName: `New agency ${below(1_000_000)}`,
        firstName: 'Maria',
        lastName: 'Delgado',
        email: `${randomUUID()}@example.com`,
        category: 'agency',
        isNpnRequired: false,
      },
    });
    return status === 201 ? 1 : 0;
  };

  const synchronize: Write = async (instance) => {
    const { carrier, isDone, data } = await onAssociation(instance, routes.syncAssociation);
    if (!isDone) return 0;
    const { registryDataSubscriptionId, entityInfo } = data as {
      registryDataSubscriptionId: string;
      entityInfo: { jobId: string };
    };
    const records = createRegistryRecords(
      tableOf(registryRecordsTable, instance.client, tables.registryRecords),
    );
    const subscription = await records.findSubscription(carrier, registryDataSubscriptionId);
    if (subscription === undefined) return 1;
    const { npn } = subscription;
    const job = { jobId: entityInfo.jobId, organizationId: carrier, registryDataSubscriptionId, npn };
    const events = createEventItems(itemsOf(tables.outbox));
    const store = createSynchronizationStore(
      tableOf(registryRecordsTable, instance.client, tables.registryRecords),
      events,
      instance.now,
    );
    const synchronization = await store.begin(job);
    if (typeof synchronization === 'string') return 1;
    const { licenses = [], appointments = [], actions } = report();
    if (below(2) === 0)
      await store.complete(job, synchronization, instance.now(), { licenses, appointments, actions });
    else await store.fail(job, 'The registry does not recognize this NPN.');
    return 3;
  };

  const poll: Write = async ({ client, now }) => {
    const [carrier, npn] = [oneOf(carriers), npnOf(below(pool))];
    const records = createRegistryRecords(tableOf(registryRecordsTable, client, tables.registryRecords));
    const subscription = await records.findSubscription(carrier, subscriptionIdOf(carrier, npn));
    if (subscription === undefined) return 0;
    const key = registryKeys.subscription(carrier, subscription._id);
    await tableOf(registryRecordsTable, client, tables.registryRecords).update(
      key,
      upToDate(subscription, true, now()),
    );
    return 1;
  };

  const reconcile: Write = async ({ client, now }) => {
    const [carrier, npn] = [oneOf(carriers), npnOf(below(pool))];
    const table = tableOf(registryRecordsTable, client, tables.registryRecords);
    await createSubscriberRecords(table, now).apply(
      { _id: subscriptionIdOf(carrier, npn), dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity', npn },
      report(),
      { isSilent: false, moment: now(), last: () => [] },
    );
    return 1;
  };

  return [
    importing(license),
    importing(regulatoryAction),
    reconcile,
    reconcile,
    importing(filingOf),
    importing(policy),
    importing(transaction),
    importing(agent),
    importing(association),
    importing(association),
    importing(agency, true),
    importing(agency, true),
    patch,
    add,
    synchronize,
    poll,
  ];
}
