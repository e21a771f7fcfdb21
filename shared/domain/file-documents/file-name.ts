import type { FileType } from './file-types.ts';

/** Extensions of each type of file; a name without any of them gets the first one. */
const extensions: Readonly<Record<FileType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'application/msword': ['.doc'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['.docx'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
};

/** Most characters of a name; file systems take no longer one. */
export const longestFileName = 255;

/**
 * The name under which a file of this type is kept and served. A name that ends otherwise gets the type's extension:
 * whoever opens the download goes by its name, and a PDF must not be opened as a page or a program.
 */
export function storedFileName(fileName: string, type: FileType): string {
  const lowerCased = fileName.toLowerCase();
  const hasExtension = extensions[type].some((extension) => lowerCased.endsWith(extension));
  if (hasExtension) return fileName;
  const [added] = extensions[type];
  const kept = Array.from(fileName).slice(0, longestFileName - added.length);
  return `${kept.join('')}${added}`;
}
