import { toItem } from '#platform/data/dynamo.ts';
import { storedBytes } from '#platform/data/stored.ts';
import { largestItem } from '#platform/data/table.ts';
import { everyItem } from '../support/every-item.ts';
import { ask, get, memory, put, routes, tables } from '../support/file-documents-tests.ts';
import { pdf } from '../support/files.ts';
import { form } from '../support/forms.ts';
import { dynamo } from '../support/tables.ts';

const other = 'Other Document';
const [a, b] = [pdf('A'), pdf('B')];

/** Announces A for the document of a category; answers its id and what sends the bytes. */
async function announced(category: string) {
  const body = { category, fileName: 'a.pdf', contentType: 'application/pdf', sizeInBytes: a.length };
  const { data } = await ask(routes.createFileDocument, { body });
  const { url } = data['upload'] as { url: string };
  return {
    id: String(data['_id']),
    send: () => memory.objects.set(new URL(url).pathname.slice(1), a),
  };
}

/** Uploads B in a form. */
async function uploadedInForm(category: string): Promise<void> {
  expect((await ask(routes.createFileDocument, form(category, b, 'b.pdf'))).status).toBe(201);
}

/** The names of the document's versions, and the bytes that its link serves. */
async function versionsAndServed(id: string) {
  const { data } = await get(id);
  const link = await ask(routes.getFileDocumentDownloadUrl, { params: { fileDocumentId: id } });
  const served = memory.objects.get(new URL(String(link.data['url'])).pathname);
  const versions = data['versions'] as { fileName: string }[];
  return { names: versions.map(({ fileName }) => fileName), isB: served?.equals(b) };
}

it('a document has at most 200 versions, and one more is refused before its file is stored', async () => {
  const category = 'Crime & Fidelity';
  await uploadedInForm(category);
  const [document] = (await everyItem(dynamo, tables.fileDocuments)).filter(
    (item) => item['category'] === category,
  );
  const [version] = (document?.['versions'] ?? []) as Record<string, unknown>[];
  const withVersions = (length: number) => {
    const fileName = `${'証'.repeat(251)}.pdf`;
    return Array.from({ length }, (_, index) => ({ ...version, version: index + 1, fileName }));
  };
  await put('fileDocuments', { ...document, versions: withVersions(199) });
  await uploadedInForm(category);
  expect(storedBytes(toItem({ ...document, versions: withVersions(200) }))).toBeLessThan(largestItem);
  const stored = memory.objects.size;
  const announcement = { fileName: 'a.pdf', contentType: 'application/pdf', sizeInBytes: a.length };
  for (const request of [form(category, b, 'b.pdf'), { body: { category, ...announcement } }]) {
    const { status, json } = await ask(routes.createFileDocument, request);
    expect({ status, json }).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { limit: 200 } },
    });
  }
  expect(memory.objects.size).toBe(stored);
});

describe('the last upload that the API accepted is served', () => {
  it('a file in a form replaces an announced one that was sent before it', async () => {
    const { id, send } = await announced('W9');
    send();
    await uploadedInForm('W9');
    expect(await versionsAndServed(id)).toEqual({ names: ['b.pdf'], isB: true });
  });

  it('a file in a form replaces an announced one that is sent after it', async () => {
    const { id, send } = await announced('Cyber');
    await uploadedInForm('Cyber');
    send();
    expect(await versionsAndServed(id)).toEqual({ names: ['b.pdf'], isB: true });
  });

  it('a file that is announced after one in a form becomes the last version', async () => {
    await uploadedInForm('E&O');
    const { id, send } = await announced('E&O');
    send();
    expect(await versionsAndServed(id)).toEqual({ names: ['b.pdf', 'a.pdf'], isB: false });
  });

  it('a file in a form replaces an announced one that is just being used', async () => {
    const { id, send } = await announced(other);
    send();
    let uploads = 0;
    memory.hooks.beforeCopy = async () => {
      uploads += 1;
      await uploadedInForm(other);
    };
    expect((await get(id)).data).toMatchObject({ versions: [{ version: 1, fileName: 'b.pdf' }] });
    expect(uploads).toBe(1);
    expect(await versionsAndServed(id)).toEqual({ names: ['b.pdf'], isB: true });
  });

  it('a file in a form comes last, however concurrent requests use the announced one', async () => {
    const { id, send } = await announced('Other Contract');
    send();
    await Promise.all([get(id), get(id), uploadedInForm('Other Contract'), get(id)]);
    const { names, isB } = await versionsAndServed(id);
    expect([names.at(-1), isB]).toEqual(['b.pdf', true]);
  });
});
