import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { associationItem, associationKeys } from '../../shared/domain/associations/stored.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { fileDocumentItem, type StoredFileDocument } from '../../shared/domain/file-documents/stored.ts';
import { fileDocumentsTable } from '../../shared/domain/file-documents/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { commandsOn } from '../support/admin.ts';
import { eventsIn } from '../support/events.ts';
import { newId } from '../support/filings.ts';
import { createTable, dynamo } from '../support/tables.ts';

const at = '2026-06-01T09:00:00.000Z';
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
  const association = associationItem(
    {
      _id: downstreamEntityAssociationId,
      upstreamEntityId: carrier,
      downstreamEntityId: newId(),
      externalId: null,
      producerCode: null,
      branchName: null,
      parentDownstreamEntityAssociationId: null,
      status: 'active',
      agency: { npn: null, isDeleted: false },
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    new Date(),
  );
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

test('without a signed file the events carry none', async () => {
  await execute({});
  expect(await signedFiles()).toEqual(bothWith(undefined));
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
  expect(await execute({ party: 'upstream' })).toMatchObject({ signedByDownstreamAt: null, status: 'open' });
});
