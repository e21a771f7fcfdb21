// What all clients upload, and to which run of the API.

export const baseUrl = process.env['BASE_URL'] ?? '';

export const headers = { 'x-restricted-access-token': process.env['TOKEN'] ?? '' };

export const file = new File(['%PDF-1.4\n%%EOF\n'], 'w9.pdf', { type: 'application/pdf' });

/** The file, announced for the presigned URL. */
export const announcement = {
  category: 'W9',
  fileName: file.name,
  contentType: 'application/pdf',
  sizeInBytes: file.size,
} as const;

/** Where the service wants the bytes of an announced file. */
interface Upload {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export async function sendTo({ method, url, headers }: Upload): Promise<void> {
  const response = await fetch(url, { method, headers: { ...headers }, body: file });
  if (!response.ok) throw new Error(await response.text());
}
