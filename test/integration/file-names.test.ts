import { ask, get, memory, routes } from '../support/file-documents-tests.ts';
import { apng, doc, docx, jpeg, pdf, png } from '../support/files.ts';
import { form } from '../support/forms.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const cases: readonly (readonly [sent: string, bytes: Buffer, type: string, kept: string])[] = [
  ['invoice.html', pdf(), 'application/pdf', 'invoice.html.pdf'],
  ['blob', pdf(), 'application/pdf', 'blob.pdf'],
  ['a.pdf.exe', pdf(), 'application/pdf', 'a.pdf.exe.pdf'],
  ['A.PDF', pdf(), 'application/pdf', 'A.PDF'],
  ['a.docx', doc(), 'application/msword', 'a.docx.doc'],
  ['a.Doc', doc(), 'application/msword', 'a.Doc'],
  ['a.doc', docx(), word, 'a.doc.docx'],
  ['a.DOCX', docx(), word, 'a.DOCX'],
  ['a.jpg', jpeg(), 'image/jpeg', 'a.jpg'],
  ['a.JPEG', jpeg(), 'image/jpeg', 'a.JPEG'],
  ['a.jpe', jpeg(), 'image/jpeg', 'a.jpe.jpg'],
  ['a.jpg', png(), 'image/png', 'a.jpg.png'],
  ['a.Png', png(), 'image/png', 'a.Png'],
  ['animated.png', apng(), 'image/png', 'animated.png'],
  ['scan.pdf', Buffer.concat([Buffer.from('\r\n'), pdf()]), 'application/pdf', 'scan.pdf'],
  // Names have at most 255 characters, the extension included.
  ['n'.repeat(255), pdf(), 'application/pdf', `${'n'.repeat(251)}.pdf`],
  ['🏢'.repeat(255), pdf(), 'application/pdf', `${'🏢'.repeat(251)}.pdf`],
  [`${'n'.repeat(251)}.pdf`, pdf(), 'application/pdf', `${'n'.repeat(251)}.pdf`],
];

describe('the name of a file ends with an extension of its type', () => {
  it.each(cases)('%s in a form (%#)', async (sent, bytes, contentType, kept) => {
    const { status, data } = await ask(routes.createFileDocument, form('Surplus Lines', bytes, sent));
    expect(status).toBe(201);
    expect(data).toMatchObject({ fileName: kept, contentType, versions: [{ fileName: kept }] });
  });

  it.each(cases)('%s announced (%#)', async (fileName, bytes, contentType, kept) => {
    const body = { category: 'Surplus Lines', fileName, contentType, sizeInBytes: bytes.length };
    const { status, data } = await ask(routes.createFileDocument, { body });
    expect([status, data['fileName']]).toEqual([201, kept]);
    const { url } = data['upload'] as { url: string };
    memory.objects.set(new URL(url).pathname.slice(1), bytes);
    expect((await get(String(data['_id']))).data).toMatchObject({ versions: [{ fileName: kept }] });
  });
});

const tooLong = 'must be 1 to 255 characters without slashes';

it.each([
  ['a\u202Efdp.exe', 'has invisible characters'],
  ['a\u200B.pdf', 'has invisible characters'],
  ['\u00AD.pdf', 'has invisible characters'],
  ['n'.repeat(256), tooLong],
  ['a/b.pdf', tooLong],
])('the name %j is refused in both ways', async (fileName, message) => {
  const body = { category: 'W9', fileName, contentType: 'application/pdf', sizeInBytes: 10 };
  expect(await ask(routes.createFileDocument, { body })).toMatchObject({
    status: 400,
    json: { details: { issues: [{ path: 'fileName', message }] } },
  });
  expect(await ask(routes.createFileDocument, form('W9', pdf(), fileName))).toMatchObject({
    status: 400,
    json: { details: { issues: [{ path: 'file', message: `has a name that ${message}` }] } },
  });
});

it('a line break in the name of a form’s file, as browsers escape it, is refused by that name', async () => {
  const { status, json } = await ask(routes.createFileDocument, form('W9', pdf(), '100%0Apple.pdf'));
  const issue = { path: 'file', message: 'has a name that has control characters' };
  expect([status, json['details']]).toEqual([400, { issues: [issue] }]);
});
