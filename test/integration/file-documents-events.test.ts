import { randomUUID } from 'node:crypto';
import { marketItem } from '../../shared/domain/associations/stored.ts';
import { carrierOwnership } from '../../shared/domain/downstream-entities/own-records.ts';
import { downstreamEntityKeys } from '../../shared/domain/downstream-entities/stored.ts';
import { entityOf, marketOf } from '../support/agency-records.ts';
import { carrier } from '../support/api-event.ts';
import { eventsAbout } from '../support/events.ts';
import { withFaults, withLostAnswer } from '../support/faults.ts';
import {
  announce,
  ask,
  files,
  get,
  memory,
  owner,
  put,
  routes,
  tables,
  uploaded,
} from '../support/file-documents-tests.ts';
import { pdf, png } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { form } from '../support/forms.ts';

const eventsOf = (id: unknown) => eventsAbout(tables.outbox, id);

describe('DOCUMENT_UPLOADED', () => {
  it('is emitted at once for a file in a form, and for each further version', async () => {
    const first = await ask(routes.createFileDocument, form('Cyber'));
    const second = await ask(routes.createFileDocument, form('Cyber'));
    expect([first.status, second.status]).toEqual([201, 201]);
    const { _id } = second.data;
    const events = await eventsOf(_id);
    expect(events.map(({ payload }) => payload)).toEqual(
      [1, 2].map((version) => expect.objectContaining({ version })),
    );
    expect(events[0]).toMatchObject({
      type: 'DOCUMENT_UPLOADED',
      upstreamEntityId: owner,
      payload: {
        fileDocumentId: _id,
        category: 'Cyber',
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        sizeInBytes: pdf().length,
        downstreamEntityAssociationId: null,
      },
    });
    expect(events[0]?.payload).toMatchObject({
      uploadedAt: (first.data['versions'] as { uploadedAt: string }[])[0]?.uploadedAt,
    });
  });

  it('is emitted once for each concurrent version, and not for a retry under the same key', async () => {
    const identity = { ...carrier, credentialId: randomUUID() };
    const { binaryBody, headers } = form('Crime & Fidelity');
    const key = { 'idempotency-key': randomUUID() };
    const sendOnce = () =>
      ask(routes.createFileDocument, { identity, binaryBody, headers: { ...headers, ...key } });
    const [first] = await Promise.all([
      sendOnce(),
      ask(routes.createFileDocument, { binaryBody, headers }),
      ask(routes.createFileDocument, { binaryBody, headers }),
    ]);
    const { data } = await sendOnce();
    expect(data).toEqual(first.data);
    const document = await get(String(data['_id']));
    const versions = (document.data['versions'] as { version: number }[]).map(({ version }) => version);
    const events = await eventsOf(data['_id']);
    expect(events.map(({ payload }) => (payload as { version: number }).version).sort()).toEqual(versions);
  });

  it('is emitted once for an announced file, on its first use by anyone', async () => {
    const id = await uploaded(pdf());
    expect(await eventsOf(id)).toEqual([]);
    await Promise.all([
      ...Array.from({ length: 4 }, () => get(id)),
      files.read(carrierOwnership(owner), [id]),
    ]);
    await get(id);
    expect(await eventsOf(id)).toMatchObject([{ upstreamEntityId: owner, payload: { version: 1 } }]);
  });

  it.each(['before', 'after'] as const)(
    'is emitted once if the use fails %s its write and is retried',
    async (fault) => {
      const id = await uploaded(pdf());
      const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
      expect((await withFaults(faultOf, () => get(id))).status).toBe(500);
      expect((await get(id)).data).toMatchObject({ versions: [{ version: 1 }] });
      expect(await eventsOf(id)).toHaveLength(1);
    },
  );

  it('is emitted once if the database’s response is lost', async () => {
    const id = await uploaded(pdf());
    expect((await withLostAnswer(() => get(id))).status).toBe(200);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('is not emitted for unexpected content or while no content was uploaded', async () => {
    const other = await uploaded(Buffer.concat([png(), Buffer.alloc(100)]));
    const awaited = await announce(pdf());
    await Promise.all([get(other), get(awaited)]);
    expect([...(await eventsOf(other)), ...(await eventsOf(awaited))]).toEqual([]);
  });

  it('is emitted to a carrier for an agency’s file in its market only', async () => {
    const [organizationId, upstreamEntityId] = [newId(), newId()];
    const entity = entityOf(organizationId);
    const onPlatform = { ...marketOf(entity._id), upstreamEntityId, isOnPlatform: true };
    const offPlatform = marketOf(entity._id);
    await Promise.all([
      put('downstreamEntities', { ...downstreamEntityKeys.entity(entity._id), ...entity }),
      ...[onPlatform, offPlatform].map((market) => put('associations', marketItem(organizationId, market))),
    ]);
    const upload = async (fields: object): Promise<unknown> => {
      const identity = {
        organizationId,
        category: 'downstreamEntity' as const,
        credentialId: randomUUID(),
      };
      const bytes = pdf(JSON.stringify(fields));
      const body = {
        category: 'W9',
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        sizeInBytes: bytes.length,
        ...fields,
      };
      const { data } = await ask(routes.createAgencyFileDocument, { identity, body });
      const { url } = data['upload'] as { url: string };
      memory.objects.set(new URL(url).pathname.slice(1), bytes);
      const fileDocumentId = String(data['_id']);
      const { status } = await ask(routes.getAgencyFileDocumentDownloadUrl, {
        identity,
        params: { fileDocumentId },
      });
      expect(status).toBe(200);
      return fileDocumentId;
    };
    const { upstreamDownstreamAssociationId: downstreamEntityAssociationId } = onPlatform;
    const emitted = await upload({ downstreamEntityAssociationId });
    expect(await eventsOf(emitted)).toMatchObject([
      { upstreamEntityId, payload: { category: 'W9', downstreamEntityAssociationId } },
    ]);
    const silent = [
      await upload({ downstreamEntityAssociationId: offPlatform.upstreamDownstreamAssociationId }),
      await upload({}),
    ];
    for (const id of silent) expect(await eventsOf(id)).toEqual([]);
  });
});
