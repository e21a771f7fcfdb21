import { gunzipSync } from 'node:zlib';

/** Every text that someone who reads an item could find in it: bytes count as text, in base64, and decompressed. */
export function storedTexts(value: unknown): string[] {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    return [bytes.toString('latin1'), bytes.toString('base64'), ...decompressed(bytes)];
  }
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(storedTexts);
  return [String(value)];
}

function decompressed(bytes: Buffer): string[] {
  try {
    return [gunzipSync(bytes).toString('utf8')];
  } catch {
    return [];
  }
}
