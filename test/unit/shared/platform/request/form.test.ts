import { FormFile } from '../../../../../shared/platform/contract/form-file.ts';
import { parseForm } from '../../../../../shared/platform/request/form.ts';

async function posted(form: FormData): Promise<[Uint8Array<ArrayBuffer>, string]> {
  const request = new Response(form);
  const contentType = request.headers.get('content-type') ?? '';
  return [new Uint8Array(await request.arrayBuffer()), contentType];
}

it('a form is parsed into its fields and files', async () => {
  const form = new FormData();
  form.set('category', 'E&O');
  form.set('file', new Blob([new Uint8Array([0, 255, 10])]), 'ä "b".pdf');
  const { category, file } = await parseForm(...(await posted(form)));

  expect(category).toBe('E&O');
  if (!(file instanceof FormFile)) throw new Error('not a file');
  expect(file.name).toBe('ä "b".pdf');
  expect([...file.content]).toEqual([0, 255, 10]);
});

it('equal files are equal for idempotency keys, and different ones are not', () => {
  const json = (text: string, name = 'a.pdf') => JSON.stringify(new FormFile(Buffer.from(text), name));
  expect(json('one')).toBe(json('one'));
  expect(json('one')).not.toBe(json('two'));
  expect(json('one')).not.toBe(json('one', 'b.pdf'));
});

it('a duplicate part is refused', async () => {
  const form = new FormData();
  form.append('category', 'W9');
  form.append('category', 'E&O');
  await expect(parseForm(...(await posted(form)))).rejects.toMatchObject({
    errorType: 'validation_error',
    details: { issues: [{ path: 'category' }] },
  });
});

it.each([
  ['no boundary', 'multipart/form-data', 'text'],
  ['another boundary', 'multipart/form-data; boundary=a', '--b\r\n\r\n--b--'],
  ['nothing', 'multipart/form-data; boundary=a', ''],
])('a body that is no form is refused: %s', async (_, contentType, body) => {
  await expect(parseForm(Buffer.from(body), contentType)).rejects.toMatchObject({
    errorType: 'validation_error',
  });
});

describe('a boundary', () => {
  const part = (delimiter: string, disposition: string, content: string) =>
    `${delimiter}\r\ncontent-disposition: form-data; name=${disposition}\r\n\r\n${content}\r\n`;

  it.each(['a', 'ab', "x'()+_,-./:=?", 'a b', 'b'.repeat(70)])('may be %j', async (boundary) => {
    const content = `%PDF${`--${boundary}`.repeat(30)} --${boundary}--\r\n--${boundary}c\r\n`;
    const file = part(`--${boundary}`, '"file"; filename="a.pdf"', content);
    const body = Buffer.from(`${file}${part(`--${boundary} \t`, '"category"', 'W9')}--${boundary}-- \r\n`);
    const form = await parseForm(body, `multipart/form-data; boundary="${boundary}"`);
    expect(form['category']).toBe('W9');
    const stored =
      form['file'] instanceof FormFile ? Buffer.from(form['file'].content).toString() : undefined;
    expect(stored).toBe(content);
  });

  it.each(['', '""', '"', 'b'.repeat(71)])('may not be %j', async (boundary) => {
    await expect(
      parseForm(Buffer.from('--\r\n----'), `multipart/form-data; boundary=${boundary}`),
    ).rejects.toMatchObject({ details: { issues: [{ message: expect.stringContaining('boundary') }] } });
  });
});

it('a form of 30,000 parts is refused before it is parsed', async () => {
  const part = '--a\r\ncontent-disposition: form-data; name="x"\r\n\r\n\r\n';
  const parsing = jest.spyOn(Response.prototype, 'formData');
  await expect(
    parseForm(Buffer.from(`${part.repeat(30_000)}--a--\r\n`), 'multipart/form-data; boundary=a'),
  ).rejects.toMatchObject({ details: { issues: [{ message: 'has more than 20 parts' }] } });
  expect(parsing).not.toHaveBeenCalled();
  parsing.mockRestore();
});

it('text that is not UTF-8, and a long name, are refused by the name’s beginning', async () => {
  const part = (name: string, value: string) =>
    `--a\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const form = Buffer.from(`${part('category', 'Käse')}--a--\r\n`, 'latin1');
  await expect(parseForm(form, 'multipart/form-data; boundary=a')).rejects.toMatchObject({
    details: { issues: [{ path: 'category', message: 'is not UTF-8' }] },
  });
  const long = part('n'.repeat(5_000), 'x');
  await expect(
    parseForm(Buffer.from(`${long}${long}--a--\r\n`), 'multipart/form-data; boundary=a'),
  ).rejects.toMatchObject({ details: { issues: [{ path: `${'n'.repeat(100)}…` }] } });
});

it('the name of a file is trimmed and normalized', async () => {
  const form = new FormData();
  form.set('file', new Blob(['x']), ' cafe\u0301.pdf ');
  const { file } = await parseForm(...(await posted(form)));
  expect(file instanceof FormFile && file.name).toBe('café.pdf');
});

it.each([
  ['filename="5\\" rider.pdf"', '5" rider.pdf'],
  ['filename="\\"a\\" \\"b\\".pdf"', '"a" "b".pdf'],
  ['filename="5%22 rider.pdf"', '5" rider.pdf'],
  ['filename="100%25.pdf"', '100%25.pdf'],
  ['filename="a\\b.pdf"', 'a\\b.pdf'],
  ['filename="a\\"', 'a\\'],
])('a form with %s has the file name %s', async (parameter, name) => {
  const content = 'Content-Disposition: form-data; filename="\\"x\\""';
  const part = `--a\r\nContent-Type: application/pdf\r\nContent-Disposition: form-data; name="file"; ${parameter}\r\n\r\n${content}`;
  const { file } = await parseForm(Buffer.from(`${part}\r\n--a--\r\n`), 'multipart/form-data; boundary=a');
  expect(
    file instanceof FormFile && { name: file.name, content: Buffer.from(file.content).toString() },
  ).toEqual({
    name,
    content,
  });
});
