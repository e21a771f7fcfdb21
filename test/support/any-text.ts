import * as fc from 'fast-check';

const codePoint = fc.integer({ min: 0, max: 0x10ffff });

/**
 * Text of any code points, halves of surrogate pairs included. `fc.string` of this unit first makes a map of all million of them, in
 * each test file.
 */
export const anyText = (maxLength = 10): fc.Arbitrary<string> =>
  fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
