import { textFault } from '../../../../../shared/platform/contract/text.ts';

const zwnj = '\u200C';
const zwj = '\u200D';

test.each([
  ['emoji', '🏢 👩‍💼 👍🏽 🇫🇷'],
  ['an emoji in either of its looks', '❤\uFE0F ❤\uFE0E ™\uFE0E'],
  ['keycaps', '1\uFE0F\u20E3 desk #\uFE0F\u20E3 *\uFE0F\u20E3 0\u20E3 9\uFE0E\u20E3'],
  [
    'flags of subdivisions',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} \u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}',
  ],
  ['an emoji of several, one with its look', '🏳\uFE0F\u200D🌈 🏴\u200D☠\uFE0F'],
  ['Persian', `علی${zwnj}رضا`],
  ['Persian with a vowel sign', `می\u0650${zwnj}خواهم`],
  ['Urdu', `کمیت${zwnj}و`],
  ['Telugu', `రాజ్${zwnj}కుమార్`],
  ['Kannada', `ರಾಜ್${zwnj}ಕುಮಾರ್`],
  ['Bengali', `রাজ্${zwnj}কুমার র${zwj}্যাচেল`],
  ['Hindi', `राज्${zwnj}कुमार`],
  ['Malayalam', `രാജ്${zwnj}കുമാർ`],
  ['Sinhala', `ශ්${zwj}රී ලංකා`],
  ['Marathi', `गोर्${zwj}हे`],
])('a name can have %s', (_, text) => {
  expect(textFault(text, false)).toBeUndefined();
});

test.each([
  ['a line separator', 'Ann\u2028Lee'],
  ['a paragraph separator', 'Ann\u2029Lee'],
  ['a look without an emoji', 'a\uFE0E'],
  ['a look of a digit that is no keycap', '1\uFE0F desk'],
  ['two looks of one emoji', '❤\uFE0F\uFE0E'],
  ['text in tags', '\u{1F3F4}\u{E0061}\u{E0062}\u{E0063}\u{E007F}'],
  ['tags of a flag that ends without its end', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}'],
  ['tags without a flag', 'a\u{E0067}\u{E007F}'],
  ['a joiner after an emoji', '👩\u200D'],
  ['a non-joiner in Latin', `An${zwnj}na`],
  ['a joiner in Latin', `An${zwj}na`],
  ['a non-joiner after a letter that is not joined anyway', `رضا${zwnj}علی`],
  ['a non-joiner at the end', `علی${zwnj}`],
  ['a non-joiner before a space', `علی${zwnj} رضا`],
  ['two non-joiners', `علی${zwnj}${zwnj}رضا`],
  ['a joiner in Persian', `علی${zwj}رضا`],
  ['a non-joiner after a virama and before another script', `రాజ్${zwnj}a రాజ్${zwnj}क`],
  ['a non-joiner after a virama and before a vowel', `రాజ్${zwnj}అ`],
  ['a non-joiner after a virama that shows anyway', `ராஜ்${zwnj}குமார்`],
  ['a non-joiner in Sinhala', `ශ්${zwnj}රී`],
  ['a joiner at the end in Sinhala', `ශ්${zwj}`],
  ['a joiner that Hindi does not need', `क्${zwj}य`],
  ['another look of an ideograph', '葛\u{E0100}'],
])('a name cannot have %s', (_, text) => {
  expect(textFault(text, false)).toBe('has invisible characters');
  expect(textFault(text, true)).toBeUndefined();
});
