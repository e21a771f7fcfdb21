import {
  companyNames,
  comparableName,
  comparablePeople,
  mayBeSameCompany,
  mayBeSamePerson,
} from '#domain/identifiers/comparable-names.ts';
import { npn } from '#domain/identifiers/identifiers.ts';

it.each([
  ['Lone Star Brokerage, Inc.', 'LONE-STAR BROKERAGE'],
  ['Smith & Sons Company', 'smith and sons'],
  ['Café Insurance LLC', 'Cafe'],
])('%s and %s are the same company', (one, other) => {
  expect(comparableName(one)).toBe(comparableName(other));
});

it.each([
  ['Smith Holdings, Inc. d/b/a Lone-Star Brokerage', ['smithholdings', 'lonestarbrokerage']],
  ['Smith LLC (D.B.A. Lone Star)', ['smith', 'lonestar']],
  ['DBA: The Star', ['thestar']],
  ['Doing Business As Usual', ['usual']],
  ['Adba Brokerage', ['adbabrokerage']],
])('%s goes by %j', (name, names) => {
  expect(companyNames(name)).toEqual(names);
});

it.each([
  ['Maria L. Delgado', ['maria delgado']],
  ['DELGADO, Maria', ['maria delgado']],
  ['Maria Delgado Jr.', ['maria delgado']],
  ['DELGADO JR, MARIA L', ['maria delgado']],
  ['Maria Delgado, CPCU, CIC', ['maria delgado']],
  ['Dr. Maria Delgado V', ['maria delgado']],
  ['GARCIA LOPEZ, JUAN', ['juan garcia', 'juan garcialopez', 'juan lopez']],
  ['Delgado', ['delgado']],
  ['Jr.', ['']],
  ['Maria Delgado-Ruiz', ['maria delgado', 'maria delgadoruiz', 'maria ruiz']],
  ['Ruiz, Ana‐Maria', ['ana ruiz', 'anamaria ruiz']],
])('%s is found as %j', (name, names) => {
  expect(comparablePeople(name)).toEqual(names);
});

it.each<[one: string, other: string, isSame: boolean]>([
  ['Lone Star Brokerage', 'Loen Str Insurance', true],
  ['Lonestar Brokerage', 'Lone Star Brokerage', true],
  ['Lone Star Brokerage of Austin', 'Lone Star Brokerage', true],
  ['Gulf Shore Insurance Agency', 'Meridian Insurance Agency', false],
  ['Summit Bridge Brokerage', 'Summit Valley Brokerage', false],
  ['Insurance Services Group', 'Insurance Services Group, LLC', true],
  ['Insurance Services Group', 'Hudson Insurance Services', false],
  ['Coastal Partners d/b/a Lone Star', 'Lone Star Brokerage', true],
  ['Coastal Partners d/b/a Lone Star', 'Summit Brokerage', false],
  ['A-1 Insurance', 'A1 Agency', true],
])('whether %s and %s may be the same company: %s', (one, other, isSame) => {
  expect(mayBeSameCompany(one, other)).toBe(isSame);
  expect(mayBeSameCompany(other, one)).toBe(isSame);
});

it.each<[written: string, firstName: string, lastName: string, isSame: boolean]>([
  ['D. Okafor', 'Daniel', 'Okafor', true],
  ['Daniel Okfaor', 'Daniel', 'Okafor', true],
  ['Okafor, Daniel', 'Daniel', 'Okafor', true],
  ['DE LA CRUZ JR, ANA M', 'Ana', 'De La Cruz', true],
  ['GARCIA LOPEZ, JUAN', 'Juan', 'Garcia', true],
  ['STRANGER, SAM', 'Daniel', 'Okafor', false],
  ['Okafor Daniel', 'Daniel', 'Okafor', true],
  ['Okafor', 'Daniel', 'Okafor', true],
  ['Daniel Okafor-Lindholm', 'Daniel', 'Okafor', true],
  ['Maria de la Cruz', 'Maria', 'De La Cruz', true],
  ['Grace Lindholm', 'Maria', 'Delgado', false],
  ['Maria Garcia', 'Maria', 'Delgado', false],
  ['Maria', 'Maria', 'Delgado', false],
  ['James Okafor', 'Thomas', 'James', false],
])('whether %s may be %s %s: %s', (written, firstName, lastName, isSame) => {
  expect(mayBeSamePerson(written, { firstName, lastName })).toBe(isSame);
});

it.each([
  ['8,123,456', '8123456'],
  ['0017-654321', '17654321'],
  ['08-123 456', '8123456'],
  ['12345, 67890', undefined],
  ['12345,67890', undefined],
  ['12345 67890', undefined],
  ['12345 - 67890', undefined],
])('%s is one NPN, or none where it may be two', (text, read) => {
  expect(npn.safeParse(text).data).toBe(read);
});
