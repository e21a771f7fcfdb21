import * as fc from 'fast-check';
import { sortText } from '../../../../../shared/platform/data/sort-text.ts';

it.each([
  ['Lone Star Brokerage', 'lone star brokerage'],
  ['Éire & Söhne', 'eire & sohne'],
  // Letters of no other form come after all others.
  ['東 Agency', '~ agency'],
  ['ﬁve', 'five'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('%s is sorted by its ASCII letters', (text, expected) => {
  expect(sortText(text)).toBe(expected);
});

it('case and accents make no difference, and what is sorted is short and ASCII', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const sorted = sortText(text);
      expect(sorted).toMatch(/^[ -~]{0,200}$/);
      expect(sortText(text.normalize('NFD'))).toBe(sorted);
      expect(sortText(sorted)).toBe(sorted);
    }),
  ));
