import * as z from 'zod/mini';
import { type SyncJob, syncJob } from '#domain/registry-records/resources.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { ensureSubscriptions } from '#domain/registry-records/subscriptions.ts';
import { registryRecordsTable, tablesOf } from '#domain/tables.ts';
import { tableOf } from '#platform/data/table.ts';
import { createRedemption } from '../../functions/link-redemption/function.ts';
import { createOwnRecords } from '../../functions/sandbox/function.ts';
import { added, at, context, routes, tally } from '../support/associations-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { signInTokens } from '../support/link-secret.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('sync', () => {
  const sync = (owner: string, id: string) => context.ask(owner, routes.syncAssociation, at(id));

  const queue = (): SyncJob[] => {
    const jobs: SyncJob[] = [];
    context.controls.sendToRegistrySync = async (sent) => {
      jobs.push(...z.parse(z.array(syncJob), sent));
    };
    return jobs;
  };

  it('queues one job and returns its subscription, also when requested again while it runs', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '31' });
    const jobs = queue();
    const first = await sync(owner, id);
    const second = await sync(owner, id);
    expect(first.status).toBe(202);
    expect(second.data).toEqual(first.data);
    expect(jobs).toEqual([
      {
        jobId: (first.data['entityInfo'] as { jobId: string }).jobId,
        organizationId: owner,
        registryDataSubscriptionId: first.data['registryDataSubscriptionId'],
        npn: '31',
      },
    ]);
    const shown = await context.ask(owner, routes.getAssociation, at(id));
    expect(shown.data).toMatchObject({
      registryDataSubscription: { entityModel: 'downstreamEntity', entityInfo: { status: 'queued' } },
    });
  });

  it('leaves a producer’s NPN the producer’s', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '34' });
    const records = tableOf(registryRecordsTable, dynamo, context.tables.registryRecords);
    const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' } as const;
    await ensureSubscriptions(records, dataOwner, ['34'], { entityModel: 'agent' }, new Date());
    queue();
    expect((await sync(owner, id)).status).toBe(202);
    const shown = await context.ask(owner, routes.getAssociation, at(id));
    expect(shown.data).toMatchObject({
      registryDataSubscription: { entityModel: 'agent', entityInfo: { status: 'queued' } },
    });
  });

  it('queues one job for concurrent requests', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '32' });
    const jobs = queue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => sync(owner, id)));
    expect(tally(answers)).toEqual({ '202': 10 });
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(1);
  });

  it('answers 503 if the queue refuses the job, and the next request sends it', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '33' });
    context.controls.sendToRegistrySync = () => Promise.reject(new Error('down'));
    expect(await sync(owner, id)).toMatchObject({ status: 503, errorType: 'service_unavailable' });
    const jobs = queue();
    expect((await sync(owner, id)).status).toBe(202);
    expect(jobs).toHaveLength(1);
  });

  it('sends the same job again if an earlier request crashed before sending it', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '34' });
    const jobs = queue();
    const { data } = await sync(owner, id);
    const records = await everyItem(dynamo, context.tables.registryRecords);
    const stored = records.find((item) => item['_id'] === data['registryDataSubscriptionId']);
    await context.put('registryRecords', { ...stored, isSent: false });
    await sync(owner, id);
    expect(jobs).toHaveLength(2);
    expect(jobs[1]).toEqual(jobs[0]);
    await sync(owner, id);
    expect(jobs).toHaveLength(2);
  });

  it('treats a synchronization as lost after an hour', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '35' });
    const jobs = queue();
    await sync(owner, id);
    context.controls.now = () => new Date(Date.now() + 61 * 60_000);
    await sync(owner, id);
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(2);
  });

  describe('that is done', () => {
    const minutesLater = (start: Date, minutes: number) => {
      context.controls.now = () => new Date(start.getTime() + minutes * 60_000);
    };

    /** A synchronization that the worker has done at a time. */
    async function done(npn: string, at: Date) {
      const owner = await context.carrier();
      const id = await added(owner, { downstreamEntityNpn: npn });
      const jobs = queue();
      context.controls.now = () => at;
      await sync(owner, id);
      const records = tableOf(registryRecordsTable, dynamo, context.tables.registryRecords);
      await records.update(registryKeys.subscription(owner, subscriptionIdOf(owner, npn)), {
        'entityInfo.status': 'success',
        lastSynchronizationDate: at.toISOString(),
      });
      return { owner, id, jobs, records };
    }

    it('is not repeated within five minutes', async () => {
      const at = new Date();
      const { owner, id, jobs } = await done('37', at);
      minutesLater(at, 4.9);
      expect(await sync(owner, id)).toMatchObject({
        status: 202,
        data: { entityInfo: { status: 'success', jobId: jobs[0]?.jobId } },
      });
      expect(jobs).toHaveLength(1);
      minutesLater(at, 5);
      expect(await sync(owner, id)).toMatchObject({ data: { entityInfo: { status: 'queued' } } });
      expect(jobs).toHaveLength(2);
    });

    it('is repeated where the customer put a record into the simulated registry since', async () => {
      const at = new Date();
      const { owner, id, jobs, records } = await done('38', at);
      minutesLater(at, 1);
      await createOwnRecords(records).put(owner, '38', { entity: null }, context.controls.now(), []);
      expect(await sync(owner, id)).toMatchObject({ data: { entityInfo: { status: 'queued' } } });
      expect(jobs).toHaveLength(2);
    });
  });

  it('beyond the questions of a day is 429, and an added agency waits for the night', async () => {
    const owner = await context.carrier();
    const at = new Date('2026-07-01T12:00:00.000Z');
    context.controls.now = () => at;
    const jobs = queue();
    const ids: string[] = [];
    for (let npn = 900; npn < 917; npn += 1)
      ids.push(await added(owner, { downstreamEntityNpn: String(npn) }));
    const answers = await Promise.all(ids.slice(0, 14).map((id) => sync(owner, id)));
    // 17 adds and 13 synchronizations are 30 questions.
    expect(tally(answers)).toEqual({ '202': 13, '429 rate_limit_exceeded': 1 });
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toBe(String(16 * 3_600));
    expect(jobs).toHaveLength(13);
    await added(owner, { downstreamEntityNpn: '917' });
    const records = await everyItem(dynamo, context.tables.registryRecords);
    const dueOf = (npn: string) =>
      records.find(({ pk, sk }) => pk === `NPN#${npn}` && sk === `FIRST#${owner}`);
    expect(dueOf('916')).toMatchObject({ pollSort: at.toISOString() });
    expect(dueOf('917')).toMatchObject({ pollSort: '2026-07-02T03:59:59.999Z' });
  });

  it('answers 409 for an agency without an NPN', async () => {
    const owner = await context.carrier();
    expect(await sync(owner, await added(owner))).toMatchObject({ status: 409, errorType: 'conflict' });
  });
});

describe('sign-in-url', () => {
  const signIn = (owner: string, id: string, email: string) =>
    context.ask(owner, routes.getAssociationSignInUrl, { ...at(id), query: { email } });

  it('signs in a contact of the association, once, within fifteen minutes', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { email: 'signs.in@example.com' });
    const { status, data } = await signIn(owner, id, 'Signs.In@example.com');
    expect(status).toBe(200);
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const later = new Date(Date.now() + 16 * 60_000);
    const expired = createRedemption(tablesOf(dynamo, context.tables), () => later, signInTokens);
    await expect(expired({ token })).rejects.toMatchObject({ reason: 'not_found' });
    const redeem = createRedemption(tablesOf(dynamo, context.tables), () => new Date(), signInTokens);
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => redeem({ token })));
    expect(tries.filter((one) => one.status === 'fulfilled')).toMatchObject([
      { value: { purpose: 'sign-in', downstreamEntityAssociationId: id, email: 'signs.in@example.com' } },
    ]);
    expect(JSON.stringify(await everyItem(dynamo, context.tables.oneTimeLinks))).not.toContain(token);
    // Another spelling of the same bytes is the same link.
    await expect(redeem({ token: `${token}==` })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('writes nothing, however often it is asked, and says no address', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { email: 'asked.often@example.com' });
    const items = await everyItem(dynamo, context.tables.oneTimeLinks);
    const { calls } = await databaseCalls(async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signIn(owner, id, 'asked.often@example.com')),
      );
      const urls = answers.map(({ data }) => String(data['url']));
      expect(new Set(urls).size).toBe(20);
      for (const url of urls) {
        const token = new URL(url).searchParams.get('token') ?? '';
        expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('asked.often');
      }
    });
    expect([...new Set(calls)]).toEqual(['GetItemCommand']);
    expect(await everyItem(dynamo, context.tables.oneTimeLinks)).toEqual(items);
  });

  it('signs nobody in whose contact was removed meanwhile', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { email: 'removed@example.com' });
    const { data } = await signIn(owner, id, 'removed@example.com');
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const contact = (await everyItem(dynamo, context.tables.contacts)).find(
      ({ pk, email }) => String(pk).startsWith('CONTACT#') && email === 'removed@example.com',
    );
    await context.put('contacts', { ...contact, isDeleted: true });
    const redeem = createRedemption(tablesOf(dynamo, context.tables), () => new Date(), signInTokens);
    await expect(redeem({ token })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('is refused for an address that is not a contact’s', async () => {
    const owner = await context.carrier();
    const id = await added(owner);
    const { status, json } = await signIn(owner, id, 'stranger@example.com');
    expect(status).toBe(403);
    expect(json).toMatchObject({
      errorType: 'contact_not_authorized',
      details: { expected: 'a contact of the association', actual: 'none' },
    });
    expect((await signIn(await context.carrier(), id, 'stranger@example.com')).status).toBe(404);
  });
});
