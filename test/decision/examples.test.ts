import { complianceDocumentation } from '../../infra/openapi/compliance.ts';
import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import { examples } from '../../shared/domain/decision/examples.ts';
import { appointment, beacon, type CaseAnswer, license } from './case-rows.ts';
import { cases } from './cases.ts';
import { policyCases } from './policy-cases.ts';

// What the OpenAPI document prints of the cases, which `cases.test.ts` and `policy-cases.test.ts` hold against the decision.

/**
 * The status that a case is about; what is not known, warnings, and the message and what it goes by, where the case is about these.
 */
function toldOf(configs: readonly ConfigVersion[], answer: CaseAnswer): string {
  const { verdict, licenseStatus, appointmentStatus, reasons, warnings = [] } = answer;
  const { message, basis, configBasis } = answer;
  const isAboutAppointments = configs.some(({ states }) =>
    states.some((state) => state.appointment !== 'not required'),
  );
  const status = isAboutAppointments && licenseStatus === 'Licensed' ? appointmentStatus : licenseStatus;
  const parts = [
    `\`${status}\``,
    ...(verdict === 'unknown' ? reasons.map((reason) => `\`${reason.replace('?', '')}\``) : []),
    ...warnings.map((code) => `with the warning \`${code}\``),
    ...(basis === undefined ? [] : [`\`basis: ${basis}\``]),
    ...(configBasis === undefined ? [] : [`\`configBasis: ${configBasis}\``]),
  ];
  return message === undefined ? `${parts.join(', ')}.` : `${parts.join(', ')}, “${message}”`;
}

const told = [
  ...cases.map((one) => ({ ...one, configs: one.question.configs })),
  ...policyCases.map((one) => ({ ...one, configs: one.products.flat() })),
].map(({ rule, example, configs, answer }) => `${rule} – ${example}: ${toldOf(configs, answer)}`);

test.each(Object.entries(examples))(
  'the example of %s is a case of it, and says what is answered',
  (rule, text) => {
    expect(told).toContain(`${rule} – ${text}`);
  },
);

test('the document says what the license, the appointment, and the organization of the examples are', () => {
  expect(complianceDocumentation()).toContain(
    `the license is from Texas, with the \`issueDate\` ${license().issueDate} and no end; the appointment is for all lines of authority, with the \`statusChangeDate\` ${appointment().statusChangeDate}; and the organization, ${beacon.name}, has the NAIC code ${beacon.naicCodes.join()} and the EIN ${beacon.eins.join()}.`,
  );
});
