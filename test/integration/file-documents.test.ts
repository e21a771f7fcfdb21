import { randomUUID } from 'node:crypto';
import { marketItem } from '../../shared/domain/associations/stored.ts';
import { carrierOwnership } from '../../shared/domain/downstream-entities/own-records.ts';
import { downstreamEntityKeys } from '../../shared/domain/downstream-entities/stored.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { refusalOf } from '../../shared/platform/request/refusal.ts';
import { entityOf, marketOf } from '../support/agency-records.ts';
import {
  announce,
  ask,
  files,
  filing,
  get,
  memory,
  objectsOf,
  owner,
  put,
  routes,
  uploaded,
} from '../support/file-documents-tests.ts';
import { pdf, png } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('database calls', () => {
  it.each([
    ['a new document', {}, 3],
    ['a version', { category: 'W9' }, 4],
  ])('for %s under an idempotency key are at most four', async (_, fields, most) => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      category: 'Surplus Lines',
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 9,
      ...fields,
    };
    const { calls } = await databaseCalls(() => ask(routes.createFileDocument, { body, headers }));
    expect(calls).toHaveLength(most);
  });

  it('for a document that was used before are one', async () => {
    const id = await uploaded(pdf());
    await get(id);
    expect((await databaseCalls(() => get(id))).calls).toEqual(['GetItemCommand']);
  });
});

describe('the first use of an upload', () => {
  it('creates one version for concurrent requests', async () => {
    const id = await uploaded(pdf());
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { data } of answers) expect(data).toMatchObject({ versions: [{ version: 1 }] });
    expect((await get(id)).data['versions']).toHaveLength(1);
  });

  it('inspects the content again if it changes after the inspection', async () => {
    const id = await uploaded(pdf('one'));
    const [incoming] = objectsOf(id, 'incoming');
    let replaced = false;
    memory.hooks.beforeCopy = () => {
      if (!replaced) memory.objects.set(incoming ?? '', pdf('two'));
      replaced = true;
    };
    expect((await get(id)).status).toBe(200);
    const [file] = objectsOf(id, 'files');
    expect(memory.objects.get(file ?? '')).toEqual(pdf('two'));
  });

  it('accepts no other content after the inspection', async () => {
    const pretended = Buffer.concat([png(), Buffer.alloc(pdf().length - png().length)]);
    const id = await uploaded(pdf());
    const [incoming] = objectsOf(id, 'incoming');
    memory.hooks.beforeCopy = () => memory.objects.set(incoming ?? '', pretended);
    expect((await get(id)).status).toBe(400);
    expect(objectsOf(id, 'files')).toEqual([]);
  });
});

describe('files for a filing', () => {
  it('are returned in the requested order', async () => {
    const ids = [await uploaded(pdf('one')), await uploaded(pdf('two'))].reverse();
    const found = await files.read(carrierOwnership(owner), ids);
    expect(found.map(({ fileDocumentId }) => fileDocumentId)).toEqual(ids);
    expect(found[0]).toMatchObject({ fileName: 'a.pdf', contentType: 'application/pdf' });
    expect(found.map(({ usedBy }) => usedBy)).toEqual([undefined, undefined]);
  });

  it('are named if they have no content or unexpected content', async () => {
    const png1 = Buffer.concat([png(), Buffer.alloc(100)]);
    const ids = [await uploaded(pdf()), await announce(pdf()), await uploaded(png1)];
    await expect(files.read(carrierOwnership(owner), ids)).rejects.toMatchObject({
      reason: 'invalid_input',
      options: { issues: [{ path: 'fileDocumentIds[1]' }, { path: 'fileDocumentIds[2]' }] },
    });
  });

  it.each([
    ['an unknown file', owner],
    ['another organization’s file', '65f0c1d2e3a4b5c6d7e8f9fe'],
  ])('are not found: %s', async (_, organizationId) => {
    const id = organizationId === owner ? 'f'.repeat(24) : await uploaded(pdf());
    await expect(files.read(carrierOwnership(organizationId), [id])).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  it('can be used by one filing only, even concurrently', async () => {
    const id = await uploaded(pdf());
    await files.read(carrierOwnership(owner), [id]);
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        transact(dynamo, [files.use(owner, id, `${filing.slice(0, 23)}${index}`)]),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of tries) {
      if (outcome.status === 'rejected') {
        expect(refusalOf(outcome.reason)?.errorType).toMatch(/^(not_found|transient_transaction_error)$/);
      }
    }
    const [file] = await files.read(carrierOwnership(owner), [id]);
    expect(file?.usedBy).toMatch(new RegExp(`^${filing.slice(0, 23)}\\d$`));
  });
});

describe('an agency’s documents', () => {
  it('can be narrowed to the markets of one of its entities', async () => {
    const organizationId = newId();
    const [entity, foreign] = [entityOf(organizationId), entityOf(newId())];
    const market = marketOf(entity._id);
    await Promise.all([
      ...[entity, foreign].map((one) =>
        put('downstreamEntities', { ...downstreamEntityKeys.entity(one._id), ...one }),
      ),
      put('associations', marketItem(organizationId, market)),
    ]);
    const identity = () => ({
      organizationId,
      category: 'downstreamEntity' as const,
      credentialId: randomUUID(),
    });
    const announced = {
      category: 'Surplus Lines',
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 9,
    };
    const upload = async (fields: object): Promise<unknown> =>
      (
        await ask(routes.createAgencyFileDocument, {
          identity: identity(),
          body: { ...announced, ...fields },
        })
      ).data['_id'];
    const ofMarket = await upload({
      downstreamEntityAssociationId: market.upstreamDownstreamAssociationId,
    });
    expect(
      await upload({
        upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
        category: 'W9',
      }),
    ).toEqual(
      await upload({ downstreamEntityAssociationId: market.upstreamDownstreamAssociationId, category: 'W9' }),
    );
    await upload({});
    const list = (query: Record<string, string>) =>
      ask(routes.listAgencyFileDocuments, { identity: identity(), query });
    const { upstreamDownstreamAssociationId } = market;
    const { items, total } = (await list({})).data as { items: Record<string, unknown>[]; total: number };
    expect(total).toBe(3);
    expect(items.filter((item) => item['upstreamDownstreamAssociationId'] === null)).toHaveLength(1);
    expect((await list({ downstreamEntityId: entity._id })).data).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ _id: ofMarket, upstreamDownstreamAssociationId }),
      ]) as unknown,
      total: 2,
    });
    const two = { upstreamDownstreamAssociationId, downstreamEntityAssociationId: entity._id };
    expect(
      await ask(routes.createAgencyFileDocument, { identity: identity(), body: { ...announced, ...two } }),
    ).toMatchObject({ status: 400 });
    expect(await list({ downstreamEntityId: foreign._id })).toMatchObject({ status: 404 });
  });
});
