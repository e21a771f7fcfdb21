import { contentOf, signatureBytes } from '../../../../../shared/domain/file-documents/content.ts';
import {
  compoundFile,
  doc,
  docx,
  docxWithLateTypes,
  jpeg,
  pdf,
  png,
  zipOf,
} from '../../../../support/files.ts';

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

it.each([
  ['PDF', pdf(), 'application/pdf'],
  ['DOC', doc(), 'application/msword'],
  ['DOCX', docx(), word],
  ['DOCX with its list of types at the end', docxWithLateTypes(), word],
  ['JPEG', jpeg(), 'image/jpeg'],
  ['PNG', png(), 'image/png'],
])('%s is recognized by its bytes', async (_, bytes, type) => {
  expect(await contentOf(bytes, true)).toEqual({ type, needsAll: false });
});

it.each([
  ['an archive', zipOf({ 'readme.txt': 'text' })],
  ['another compound file, a workbook', compoundFile('Workbook')],
  ['text', Buffer.from('%PD')],
  ['nothing', Buffer.alloc(0)],
  ['a GIF', Buffer.from('GIF89a')],
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
