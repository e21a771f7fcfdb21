import {
  comparableName,
  comparablePerson,
  mayBeSameCompany,
  sharesWord,
} from '../../../../../shared/domain/matching/names.ts';

it.each([
  ['Lone Star Brokerage, Inc.', 'LONE-STAR BROKERAGE'],
  ['Smith & Sons Company', 'smith and sons'],
  ['Café Insurance LLC', 'Cafe'],
])('%s and %s are the same company', (one, other) => {
  expect(comparableName(one)).toBe(comparableName(other));
});

it.each([
  ['Maria L. Delgado', 'DELGADO, Maria'],
  ['Maria Delgado Jr.', 'Maria Delgado'],
])('%s and %s are the same person', (one, other) => {
  expect(comparablePerson(one)).toBe(comparablePerson(other));
});

it.each<[one: string, other: string, isSame: boolean]>([
  ['Lone Star Brokerage', 'Loen Str Insurance', true],
  ['Lonestar Brokerage', 'Lone Star Brokerage', true],
  ['Lone Star Brokerage of Austin', 'Lone Star Brokerage', true],
  ['Gulf Shore Insurance Agency', 'Meridian Insurance Agency', false],
  ['Summit Bridge Brokerage', 'Summit Valley Brokerage', false],
  ['Insurance Services Group', 'Insurance Services Group, LLC', true],
  ['Insurance Services Group', 'Hudson Insurance Services', false],
])('whether %s and %s may be the same company: %s', (one, other, isSame) => {
  expect(mayBeSameCompany(one, other)).toBe(isSame);
  expect(mayBeSameCompany(other, one)).toBe(isSame);
});

it.each<[one: string, other: string, isShared: boolean]>([
  ['D. Okafor', 'Daniel Okafor', true],
  ['Daniel Okfaor', 'Daniel Okafor', true],
  ['Grace Lindholm', 'Maria Delgado', false],
])('whether %s and %s share a word: %s', (one, other, isShared) => {
  expect(sharesWord(one, other)).toBe(isShared);
});
