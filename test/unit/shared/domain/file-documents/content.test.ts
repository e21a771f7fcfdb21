import { contentOf, signatureBytes } from '../../../../../shared/domain/file-documents/content.ts';
import {
  apng,
  compoundFile,
  doc,
  docx,
  docxWithLateTypes,
  jpeg,
  pdf,
  png,
  zipOf,
} from '../../../../support/files.ts';

const after = (start: string): Buffer => Buffer.concat([Buffer.from(start), pdf()]);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

it.each([
  ['PDF', pdf(), 'application/pdf'],
  ['DOC', doc(), 'application/msword'],
  ['DOCX', docx(), word],
  ['DOCX with its list of types at the end', docxWithLateTypes(), word],
  ['JPEG', jpeg(), 'image/jpeg'],
  ['PNG', png(), 'image/png'],
  ['animated PNG', apng(), 'image/png'],
  ['PDF after a line break', after('\r\n'), 'application/pdf'],
  [
    'PDF after the commands of a printer',
    after('\u001B%-12345X@PJL ENTER LANGUAGE=PDF\r\n'),
    'application/pdf',
  ],
  ['PDF after almost 1,024 bytes', after('\0'.repeat(1_019)), 'application/pdf'],
])('%s is recognized by its bytes', async (_, bytes, type) => {
  expect(await contentOf(bytes, true)).toEqual({ type, needsAll: false });
});

it.each([
  ['an archive', zipOf({ 'readme.txt': 'text' })],
  ['another compound file, a workbook', compoundFile('Workbook')],
  ['text', Buffer.from('%PD')],
  ['nothing', Buffer.alloc(0)],
  ['a GIF', Buffer.from('GIF89a')],
  ['a PDF after 1,024 bytes', after('\0'.repeat(1_020))],
  ['an archive that has a PDF as well', Buffer.concat([zipOf({ 'readme.txt': 'text' }), pdf()])],
  ['a program that has a PDF as well', after('MZ')],
  ['a GIF that has a PDF as well', after('GIF89a')],
])('%s is not an accepted type', async (_, bytes) => {
  expect((await contentOf(bytes, true)).type).toBeUndefined();
});

it.each([
  ['DOCX', docxWithLateTypes()],
  ['DOC', Buffer.concat([doc(), Buffer.alloc(signatureBytes)])],
])('the start of a %s is not enough to recognize it', async (_, bytes) => {
  expect(await contentOf(bytes.subarray(0, signatureBytes), false)).toEqual({
    type: undefined,
    needsAll: true,
  });
});

it('the start of a PDF with bytes before its header is enough to recognize it', async () => {
  const bytes = Buffer.concat([after('\r\n'), Buffer.alloc(signatureBytes)]);
  expect(await contentOf(bytes.subarray(0, signatureBytes), false)).toEqual({
    type: 'application/pdf',
    needsAll: false,
  });
});
