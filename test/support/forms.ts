import { pdf } from './files.ts';

/** A form with a file of this category, as an event's options. */
export function form(
  category: string,
  file: Buffer = pdf(),
  fileName = 'a.pdf',
): { readonly headers: Record<string, string>; readonly binaryBody: Buffer } {
  const disposition = 'Content-Disposition: form-data';
  return {
    headers: { 'Content-Type': 'multipart/form-data; boundary=part' },
    binaryBody: Buffer.concat([
      Buffer.from(`--part\r\n${disposition}; name="category"\r\n\r\n${category}\r\n`),
      Buffer.from(`--part\r\n${disposition}; name="file"; filename="${fileName}"\r\n\r\n`),
      file,
      Buffer.from('\r\n--part--\r\n'),
    ]),
  };
}
