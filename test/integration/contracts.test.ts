import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { associationItem, associationKeys, type StoredAssociation } from '#domain/associations/stored.ts';
import { eventPayloads } from '#domain/events/payloads.ts';
import { fileDocumentItem, type StoredFileDocument } from '#domain/file-documents/stored.ts';
import { associationsTable, fileDocumentsTable, outboxTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import type { contractExecution } from '../../functions/admin/contracts.ts';
import { commandsOn } from '../support/admin.ts';
import { eventsIn } from '../support/events.ts';
import { newId } from '../support/filings.ts';
import { agencyCopy } from '../support/scopes.ts';
import { createTable, dynamo } from '../support/tables.ts';

const at = '2026-06-01T09:00:00.000Z';

/** An association of a carrier with an agency. */
const itemOf = (fields: Pick<StoredAssociation, '_id' | 'upstreamEntityId'> & Partial<StoredAssociation>) =>
  associationItem(
    {
      downstreamEntityId: newId(),
      externalId: null,
      producerCode: null,
      branchName: null,
      parentDownstreamEntityAssociationId: null,
      status: 'active',
      agency: agencyCopy,
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
      ...fields,
    },
    new Date(),
  );

describe('contracts', () => {
  const carrier = '65f0c1d2e3a4b5c6d7e8f900';
  const downstreamEntityAssociationId = '65f0c1d2e3a4b5c6d7e8f904';
  const downstreamEntityId = '65f0c1d2e3a4b5c6d7e8f906';
  const contractContainerTemplateId = '65f0c1d2e3a4b5c6d7e8f913';

  let associations: string;
  let outbox: string;

  const put = (item: Record<string, unknown>) =>
    dynamo.send(new PutItemCommand({ TableName: associations, Item: toItem(item) }));

  beforeEach(async () => {
    [associations, outbox] = await Promise.all([createTable(associationsTable), createTable(outboxTable)]);
    await put({ ...associationKeys.owner(downstreamEntityAssociationId), upstreamEntityId: carrier });
    await associate();
    await put({
      ...associationKeys.template(carrier, contractContainerTemplateId),
      _id: contractContainerTemplateId,
      name: 'Producer agreement 2026',
      description: null,
      isActive: true,
      isDeleted: false,
      createdAt: at,
      updatedAt: at,
    });
  });

  const associate = (changed: object = {}) =>
    put(
      itemOf({
        _id: downstreamEntityAssociationId,
        upstreamEntityId: carrier,
        downstreamEntityId,
        producerCode: 'P-7731',
        ...changed,
      }),
    );

  const execute = async (execution: Partial<z.input<typeof contractExecution>> = {}, now = at) => {
    const run = commandsOn({ associations, outbox }, { now: () => new Date(now) });
    const contract = await run('execute-contract', { downstreamEntityAssociationId, ...execution });
    return z.parse(z.looseObject({ _id: z.string() }), contract);
  };

  test('signing for both parties emits both events with the change', async () => {
    const signed = await execute({ contractContainerTemplateId });
    expect(signed).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      downstreamEntityAssociationId,
      contractContainerTemplateId,
      signedByUpstreamAt: at,
      signedByDownstreamAt: at,
      status: 'executed',
    });
    const events = new Map((await eventsIn(outbox)).map(({ type, payload }) => [type, payload]));
    expect([...events.keys()].sort()).toEqual(['CONTRACT_SIGNED', 'PRODUCER_AGREEMENT_EXECUTED']);
    const payload = {
      downstreamEntityAssociationId,
      downstreamEntityId,
      producerCode: 'P-7731',
      branchName: null,
      contractContainerInstanceId: signed._id,
      contractContainerTemplateId,
      contractContainerTemplateName: 'Producer agreement 2026',
    };
    expect(z.parse(eventPayloads.CONTRACT_SIGNED, events.get('CONTRACT_SIGNED'))).toEqual({
      ...payload,
      signedAt: at,
    });
    expect(events.get('PRODUCER_AGREEMENT_EXECUTED')).toEqual(payload);
  });

  test('the second party’s signature emits the events, and repeating it changes nothing', async () => {
    expect(await execute({ party: 'downstream' })).toMatchObject({
      contractContainerTemplateId: null,
      signedByUpstreamAt: null,
      signedByDownstreamAt: at,
      status: 'open',
    });
    await execute({ party: 'downstream' }, '2026-06-02T09:00:00.000Z');
    expect(await eventsIn(outbox)).toEqual([]);
    const later = '2026-06-03T09:00:00.000Z';
    const whole = await execute({ party: 'upstream' }, later);
    expect(whole).toMatchObject({ signedByUpstreamAt: later, signedByDownstreamAt: at, status: 'executed' });
    expect(await execute({}, '2026-06-04T09:00:00.000Z')).toEqual(whole);
    expect(await eventsIn(outbox)).toHaveLength(2);
  });

  test('concurrent signatures create one contract and emit its events once', async () => {
    const signed = await Promise.all(
      (['upstream', 'downstream', undefined, 'upstream', 'downstream'] as const).map((party) =>
        execute({ party }),
      ),
    );
    expect(new Set(signed.map(({ _id }) => _id)).size).toBe(1);
    expect(await execute()).toMatchObject({ status: 'executed' });
    expect(await eventsIn(outbox)).toHaveLength(2);
  });

  test('the template of the invitation is the default', async () => {
    await associate({ contractContainerTemplateId });
    expect(await execute()).toMatchObject({ contractContainerTemplateId });
  });

  test('an unknown or deleted association, and an unknown template, are not found', async () => {
    const unknown = '65f0c1d2e3a4b5c6d7e8ffff';
    const refused = { errorType: 'not_found' };
    await expect(execute({ downstreamEntityAssociationId: unknown })).rejects.toMatchObject(refused);
    await expect(execute({ contractContainerTemplateId: unknown })).rejects.toMatchObject(refused);
    await associate({ isDeleted: true });
    await expect(execute()).rejects.toMatchObject(refused);
    expect(await eventsIn(outbox)).toEqual([]);
  });
});

describe('contract files', () => {
  const file = {
    objectKey: 'files/x',
    fileName: 'agreement.pdf',
    contentType: 'application/pdf',
    sizeInBytes: 9,
  } as const;

  let names: { readonly associations: string; readonly fileDocuments: string; readonly outbox: string };
  let carrier: string;
  let downstreamEntityAssociationId: string;

  const put = (TableName: string, item: Record<string, unknown>) =>
    dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }));

  /** A producer agreement of an organization; without versions it still awaits its upload. */
  async function agreement(owner: string, isUploaded = true): Promise<string> {
    const _id = newId();
    const document: StoredFileDocument = {
      _id,
      category: 'Producer Agreement',
      versions: isUploaded ? [{ version: 1, uploadedAt: at, ...file }] : [],
      ...(isUploaded ? {} : { pending: file }),
    };
    await put(names.fileDocuments, fileDocumentItem(owner, document));
    return _id;
  }

  beforeEach(async () => {
    const [associations, fileDocuments, outbox] = await Promise.all([
      createTable(associationsTable),
      createTable(fileDocumentsTable),
      createTable(outboxTable),
    ]);
    names = { associations, fileDocuments, outbox };
    [carrier, downstreamEntityAssociationId] = [newId(), newId()];
    await put(associations, {
      ...associationKeys.owner(downstreamEntityAssociationId),
      upstreamEntityId: carrier,
    });
    const association = itemOf({ _id: downstreamEntityAssociationId, upstreamEntityId: carrier });
    await put(associations, association);
  });

  const execute = (execution: object): Promise<object> =>
    commandsOn(names)('execute-contract', { downstreamEntityAssociationId, ...execution });

  const signedFiles = async () =>
    (await eventsIn(names.outbox)).map(({ type, payload }) => [
      type,
      (payload as { signedFileDocumentId?: string }).signedFileDocumentId,
    ]);

  const bothWith = (signedFileDocumentId: string | undefined) =>
    expect.arrayContaining([
      ['CONTRACT_SIGNED', signedFileDocumentId],
      ['PRODUCER_AGREEMENT_EXECUTED', signedFileDocumentId],
    ]);

  test('the events of an executed contract carry its signed file', async () => {
    const signedFileDocumentId = await agreement(carrier);
    expect(await execute({ signedFileDocumentId })).toMatchObject({
      status: 'executed',
      signedFileDocumentId,
    });
    expect(await signedFiles()).toEqual(bothWith(signedFileDocumentId));
  });

  test('a file that came with the first signature is carried when the second one completes the contract', async () => {
    const signedFileDocumentId = await agreement(carrier);
    await execute({ party: 'downstream', signedFileDocumentId });
    expect(await signedFiles()).toEqual([]);
    await execute({ party: 'upstream' });
    expect(await signedFiles()).toEqual(bothWith(signedFileDocumentId));
  });

  test('the file of the second signature replaces that of the first', async () => {
    const [first, second] = [await agreement(carrier), await agreement(carrier)];
    await execute({ party: 'downstream', signedFileDocumentId: first });
    await execute({ party: 'upstream', signedFileDocumentId: second });
    expect(await signedFiles()).toEqual(bothWith(second));
  });

  test('a file that is unknown, another organization’s, or not uploaded is refused, and nothing is signed', async () => {
    const refusals = [
      [newId(), 'not_found'],
      [await agreement(newId()), 'not_found'],
      [await agreement(carrier, false), 'validation_error'],
    ] as const;
    for (const [signedFileDocumentId, errorType] of refusals) {
      await expect(execute({ signedFileDocumentId })).rejects.toMatchObject({ errorType });
    }
    expect(await signedFiles()).toEqual([]);
    expect(await execute({ party: 'upstream' })).toMatchObject({
      signedByDownstreamAt: null,
      status: 'open',
    });
  });
});
