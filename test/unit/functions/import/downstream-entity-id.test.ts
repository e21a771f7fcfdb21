import { derivedEntityId } from '../../../../functions/import/types/downstream-entities.ts';

const idOf = (npn: string | null, ein: string | null, legalName = 'Lone Star Brokerage') =>
  derivedEntityId('key', { npn, ein, legalName });

it('an imported agency is the same by its EIN, however it is hyphenated', () => {
  expect(idOf(null, '751234567')).toBe(idOf(null, '75-1234567', 'Another name'));
  expect(idOf(null, '75-1234568')).not.toBe(idOf(null, '75-1234567'));
});

it('an NPN with the digits of an EIN is another agency’s', () => {
  expect(idOf('751234567', null)).not.toBe(idOf(null, '751234567'));
  expect(idOf('751234567', null)).not.toBe(idOf(null, '75-1234567'));
});

it('what is no EIN does not make two agencies one', () => {
  expect(idOf(null, 'unknown')).not.toBe(idOf(null, 'applied for'));
});

it('an id cannot be computed from what it is derived from, without the key', () => {
  const agency = { npn: '17654321', legalName: 'Lone Star Brokerage' };
  expect(derivedEntityId('one', agency)).not.toBe(derivedEntityId('another', agency));
});
