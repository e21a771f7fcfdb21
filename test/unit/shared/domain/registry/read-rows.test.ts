import { reportOf } from '#domain/registry/read-rows.ts';

it.each([
  [1_456_789, '1456789'],
  // It has lost its last digits, or a zero, by the time that it is read.
  [2 ** 64, undefined],
  [1.1, undefined],
])('the number %d where a text is meant is %j', (licenseNumber, read) => {
  const license = { stateCode: 'TX', licenseNumber, status: 'active', residencyStatus: 'resident' };
  const of = { kind: 'individual', name: 'Ada', appointments: [], regulatoryActions: [] } as const;
  const { licenses, unreadable } = reportOf({ ...of, licenses: [{ ...license, linesOfAuthority: [] }] });
  expect((unreadable ?? []).flatMap(({ faults }) => faults)).toEqual(
    read === undefined ? ['licenseNumber'] : [],
  );
  expect(licenses.map((one) => one.licenseNumber)).toEqual(read === undefined ? [] : [read]);
});
