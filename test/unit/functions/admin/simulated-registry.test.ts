import * as z from 'zod/mini';
import { registryRecordInput } from '../../../../functions/admin/simulated-registry.ts';
import { recordSchemas } from '../../../../functions/import/record-schemas.ts';

const npn = '8123456';
const license = { stateCode: 'TX', licenseNumber: '100', linesOfAuthority: [{ code: '16' }] };
const appointment = { stateCode: 'TX', companyCode: '19437' };
const regulatoryAction = { stateCode: 'TX', actionId: '7' };

const given = (record: object) => z.safeParse(registryRecordInput, record);

it('a record of the simulated registry treats omitted properties as an imported one does, but is in force, and at home', () => {
  const { licenses, appointments, regulatoryActions } = z.parse(registryRecordInput, {
    licenses: [license],
    appointments: [appointment],
    regulatoryActions: [regulatoryAction],
  });
  const imported = <Record extends object>({
    type: _type,
    npn: _npn,
    ...rest
  }: Record & { type: string; npn?: string | undefined }) => rest;
  expect(licenses).toEqual([
    imported(
      z.parse(recordSchemas.license, {
        type: 'license',
        npn,
        status: 'active',
        residencyStatus: 'resident',
        ...license,
      }),
    ),
  ]);
  expect(appointments).toEqual([
    imported(
      z.parse(recordSchemas.appointment, { type: 'appointment', npn, status: 'active', ...appointment }),
    ),
  ]);
  expect(regulatoryActions).toEqual([
    imported(
      z.parse(recordSchemas['regulatory-action'], { type: 'regulatory-action', npn, ...regulatoryAction }),
    ),
  ]);
});

it.each([
  ['a name of 301 characters', { licenses: [{ ...license, licenseClassName: 'x'.repeat(301) }] }],
  ['an empty status', { appointments: [{ ...appointment, status: '' }] }],
  ['a status of 101 characters', { licenses: [{ ...license, status: 'x'.repeat(101) }] }],
  ['a code of 51 characters', { licenses: [{ ...license, linesOfAuthority: [{ code: 'x'.repeat(51) }] }] }],
  [
    'a reason of 301 characters',
    { regulatoryActions: [{ ...regulatoryAction, reasonForAction: 'x'.repeat(301) }] },
  ],
])('%s is refused, as an import refuses it', (_, record) => {
  expect(given(record).success).toBe(false);
});
