import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { complianceKeys } from '#domain/compliance/stored.ts';
import { type OutboxEvent, outboxEvent, outboxKeys } from '#domain/events/stored.ts';
import { partitionOf, registryKeys, shardOf } from '#domain/registry-records/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { smokeTest } from '../../infra/canary.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import {
  admin,
  importRecords,
  invoke,
  newOrganization,
  type Organization,
  secretsClient,
} from '../support/local-api.ts';
import { sendMessage } from '../support/queues.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { eventually } from '../support/until.ts';

describe('scheduled work', () => {
  // What schedules and the bus start, in the functions themselves: through their queues, with their roles.

  // Past the permission check: an event is looked for under what it is about.
  const dynamo = runDatabase();
  const tables: Record<string, string> = {};
  let carrier: Organization;

  beforeAll(async () => {
    for (const name of ['outbox', 'compliance', 'registry-records']) {
      tables[name] = await physicalName(dynamo, name);
    }
  });

  beforeEach(async () => {
    carrier = await newOrganization('upstreamEntity');
  });

  /** Whether the bus has an event. */
  async function isPublished(event: OutboxEvent): Promise<boolean> {
    const Key = toItem(outboxKeys.unpublished(event));
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: tables['outbox'], Key, ConsistentRead: true }),
    );
    return Item === undefined;
  }

  /** The carrier's events about an entity, once the bus has so many of them. */
  const published = (entityId: string, count = 1) =>
    eventually(async () => {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: tables['outbox'],
          KeyConditionExpression: 'pk = :about AND begins_with(sk, :event)',
          ExpressionAttributeValues: toItem({
            ':about': `${carrier.organizationId}#${entityId}`,
            ':event': 'EVENT#',
          }),
          ConsistentRead: true,
        }),
      );
      const events = Items.map((item) => z.parse(outboxEvent, unmarshall(item)));
      const arePublished = (await Promise.all(events.map(isPublished))).every(Boolean);
      return events.length < count || !arePublished ? undefined : events;
    });

  /** Waits until the first poll of an NPN for the carrier is made. */
  const firstPolled = (npn: string) =>
    eventually(async () => {
      const Key = toItem(registryKeys.firstPoll(npn, carrier.organizationId));
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: tables['registry-records'], Key, ConsistentRead: true }),
      );
      return Item === undefined ? true : undefined;
    });

  const newAgent = async (npn: string): Promise<string> => {
    const _id = newObjectId(new Date());
    const names = { firstName: 'Maria', lastName: 'Delgado' };
    await importRecords(carrier.organizationId, { type: 'agent', _id, npn, ...names });
    return _id;
  };

  const newAssociation = async (npn: string): Promise<string> => {
    const _id = newObjectId(new Date());
    const downstreamEntity = {
      legalName: 'Lone Star Brokerage',
      category: 'agency',
      npn,
      isNpnRequired: true,
    };
    await importRecords(carrier.organizationId, { type: 'association', _id, downstreamEntity });
    return _id;
  };

  it('the smoke test makes a client for the canary, once, and another one when that is revoked', async () => {
    const secrets = secretsClient();
    const secretId = 'insurance-compliance-local-canary';
    const smoked = async (): Promise<string[]> => {
      const lines: string[] = [];
      expect(await smokeTest({ invoke, secrets, secretId, say: (line) => lines.push(line) })).toBe(true);
      return lines;
    };
    const passed = expect.stringMatching(/^The canary passed in \d+ ms\.$/);
    const live = expect.stringMatching(/^Live: \d+\.\d+\.\d+\+\w+.*: 200$/);
    const made = [expect.stringContaining('failed'), 'Made a client for the canary.', passed, live];
    expect(await smoked()).toEqual(made);
    expect(await smoked()).toEqual([passed, live]);
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
    await admin('revoke-credential', { clientId: JSON.parse(SecretString).clientId });
    expect(await smoked()).toEqual(made);
  });

  it('the jobs that the license sweep queues are processed, for producers and agencies', async () => {
    const [agentId, associationId] = [await newAgent('72000001'), await newAssociation('72000002')];
    const license = licenseLine({ stateCode: 'TX', licenseNumber: '1' });
    const today = newYorkDate(new Date());
    await importRecords(
      carrier.organizationId,
      { ...license, npn: '72000001', nextRenewalDate: addDays(today, 60) },
      { ...license, npn: '72000002', nextRenewalDate: addDays(today, -1) },
    );

    const { jobs } = await invoke('license-sweep', { task: 'dispatch' });

    expect(jobs).toBeGreaterThan(0);
    expect(await published(agentId)).toMatchObject([{ type: 'AGENT_LICENSE_EXPIRING' }]);
    expect(await published(associationId)).toMatchObject([{ type: 'DOWNSTREAM_ENTITY_LICENSE_EXPIRED' }]);
  });

  it('the jobs that the registry reconciliation queues are processed, for producers and agencies', async () => {
    const [agentId, associationId] = [await newAgent('72000003'), await newAssociation('72000004')];
    for (const npn of ['72000003', '72000004']) {
      await importRecords(carrier.organizationId, licenseLine({ stateCode: 'TX', licenseNumber: '1', npn }));
      await admin('set-registry-record', {
        npn,
        record: { regulatoryActions: [{ stateCode: 'TX', actionId: '9', disposition: 'Warning' }] },
      });
    }

    const { jobs } = await invoke('registry-reconciliation', { task: 'dispatch' });
    expect(jobs).toBeGreaterThan(0);
    // Those are the first polls of a silent import, which send nothing; the next ones do.
    for (const npn of ['72000003', '72000004']) await firstPolled(npn);
    await invoke('registry-reconciliation', { task: 'dispatch' });

    expect(await published(agentId)).toMatchObject([{ type: 'AGENT_REGULATORY_ACTION_ADDED' }]);
    expect(await published(associationId)).toMatchObject([
      { type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED' },
    ]);
  });

  const change = z.object({ isQueued: z.literal(true) });

  /** The change of an NPN that is still to be reported, once its message is in the queue. */
  const pending = (npn: string) =>
    eventually(async () => {
      const Key = toItem(complianceKeys.change(carrier.organizationId, npn));
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: tables['compliance'], Key, ConsistentRead: true }),
      );
      return change.safeParse(Item && unmarshall(Item)).data;
    });

  it('is noted on the day after a license’s last one, though nobody changed it', async () => {
    const npn = '72000007';
    const today = newYorkDate(new Date());
    await importRecords(
      carrier.organizationId,
      licenseLine({ stateCode: 'TX', licenseNumber: '1', npn, nextRenewalDate: today }),
    );
    const day = addDays(today, 1);
    const shard = shardOf(partitionOf(carrier.organizationId, npn));
    await sendMessage('license-sweep', JSON.stringify({ day, runsOn: day, kind: 'CHANGE', shard }));
    expect(await pending(npn)).toMatchObject({ isQueued: true });
  });
});
