import { lazily } from './lazily.ts';

/**
 * A regular expression with properties of Unicode, made when it is first asked for: V8 builds the sets of their characters
 * where it reads a literal, which took a twentieth of a function's start.
 */
export const unicodePattern = (source: string, flags = 'u'): (() => RegExp) =>
  lazily(() => new RegExp(source, flags));
