import { decideParty, overdueFrom } from '#domain/decision/decide.ts';
import { decideSale, rememberingPolicies } from '#domain/decision/sale.ts';
import {
  appointment,
  appointmentImport,
  type CaseAsked,
  type CaseCommand,
  license,
  licensed,
  licenseImport,
  on,
  recordedBy,
  sold,
  terminated,
} from './case-rows.ts';
import { coverageAt } from './histories.ts';

// What an answer says beside its verdict: what is due, what it goes by, and the rows that it rests on.

const partyOf = (party: 'agency' | 'agent', commands: readonly CaseCommand[]) => ({
  party,
  coverage: coverageAt(recordedBy(commands), '2030-01-01T00:00:00.000Z'),
});

const asked = (day: string, requires: CaseAsked['requires'] = {}) => {
  const { party: _party, ...question } = on(day, { requires });
  return { ...question, productId: 'the product', today: day };
};

const appointedBy = (fields: Parameters<typeof appointment>[0] = {}) =>
  appointmentImport('2026-01-05', appointment(fields));

it('asks an appointment that either may have of who sells where the agency is no nearer to one', () => {
  const { agency, sellers } = decideSale({
    ...asked('2026-03-10', { appointment: 'required', appointmentOf: 'either' }),
    agency: partyOf('agency', [licensed]),
    sellers: [partyOf('agent', [licensed])],
  });
  expect(agency?.appointmentStatus.statusName).toBe('Not Required');
  expect(sellers.map(({ appointmentStatus }) => appointmentStatus.statusName)).toEqual(['Not Appointed']);
});

describe('a sale on binding', () => {
  const onBinding: NonNullable<CaseAsked['requires']> = {
    appointment: 'on binding',
    appointWithinDays: 30,
    linesOfAuthority: ['16'],
  };
  const of16 = { lineOfAuthorityCode: '16' };
  const soldBy = [licensed, sold('2026-03-01')];

  const decided = (agency: readonly CaseCommand[], ...sellers: readonly (readonly CaseCommand[])[]) =>
    decideSale({
      ...asked('2026-03-10', onBinding),
      agency: partyOf('agency', agency),
      sellers: sellers.map((commands) => partyOf('agent', commands)),
    });

  it('says what is asked of appointments, and what is due of those who are not appointed', () => {
    const { verdict, appointmentLines: all, dueAppointment } = decided([licensed, appointedBy(of16)], soldBy);
    expect({ verdict, all, dueAppointment }).toEqual({
      verdict: 'yes',
      all: ['16'],
      dueAppointment: { linesOfAuthority: ['16'], dueOn: '2026-03-31', appointedOn: null },
    });
  });

  it('says the first day that is due', () => {
    const earlier = [licensed, sold('2026-02-20')];
    expect(decided([licensed, appointedBy(of16)], soldBy, earlier).dueAppointment?.dueOn).toBe('2026-03-22');
  });

  it('changes on the day after it is due', () => {
    const { coverage } = partyOf('agent', soldBy);
    const changeAfter = (day: string) =>
      overdueFrom(decideParty({ ...on(day, { requires: onBinding }), coverage }), day);
    expect(changeAfter('2026-03-10')).toBe('2026-04-01');
    expect(changeAfter('2026-03-31')).toBe('2026-04-01');
  });
});

describe('what an answer goes by', () => {
  const basisOn = (day: string, ...commands: readonly CaseCommand[]) =>
    decideParty({ ...on(day), ...partyOf('agent', commands) }).basis;
  const held = licenseImport('2026-01-10', {});

  it('is history where all that begins by the day was recorded by then', () => {
    expect(basisOn('2026-01-09', held)).toBe('registry dates');
    expect(basisOn('2026-01-10', held)).toBe('history');
    expect(basisOn('2026-01-10')).toBe('registry dates');
    const later = licenseImport('2026-02-10', { licenseNumber: '2', issueDate: '2026-01-20' });
    expect(basisOn('2026-01-19', held, later)).toBe('history');
    expect(basisOn('2026-01-20', held, later)).toBe('registry dates');
    const again = appointmentImport(
      '2026-02-10',
      terminated({ statusChangeDate: '2026-01-05' }),
      appointment({ statusChangeDate: '2026-01-20' }),
      appointment({ statusChangeDate: '2026-01-01' }),
    );
    expect(basisOn('2026-01-12', held, again)).toBe('registry dates');
    const revoked = licenseImport('2026-02-10', { status: 'Revoked', statusDate: '2026-01-20' });
    expect(basisOn('2026-01-25', held, revoked)).toBe('registry dates');
    const untilJanuary = licenseImport('2026-01-10', { nextRenewalDate: '2026-01-31' });
    const renewed = licenseImport('2026-02-10', { nextRenewalDate: '2028-01-31' });
    expect(basisOn('2026-02-05', untilJanuary, renewed)).toBe('registry dates');
  });

  it('is history of a sale where it is of each party', () => {
    const basisOf = (day: string) =>
      decideSale({
        ...asked(day),
        agency: partyOf('agency', [held]),
        sellers: [partyOf('agent', [licenseImport('2026-02-10', {})])],
      }).basis;
    expect(basisOf('2026-01-20')).toBe('registry dates');
    expect(basisOf('2026-02-10')).toBe('history');
  });
});

it('names the rows of all parties on which a yes rests, each once', () => {
  const rules = { appointment: 'required' } as const;
  const recorded = () => [licenseImport('2026-01-10', {}), appointedBy()];
  const { covering } = decideSale({
    ...asked('2026-03-10', rules),
    agency: partyOf('agency', recorded()),
    sellers: [partyOf('agent', recorded())],
  });
  expect(covering.licenses).toEqual([license(), license()]);
  expect(covering.appointments).toEqual([appointment(), appointment()]);
});

it('is remembered of a policy until a renewal date passes', () => {
  const { productId, configs, ...question } = asked('2026-03-01', { appointment: 'required' });
  const agency = partyOf('agency', [licensed, appointedBy({ renewalDate: '2026-03-01' })]);
  const decide = rememberingPolicies();
  const warningsOn = (day: string) =>
    decide({
      ...question,
      day,
      agency,
      sellers: [],
      products: [{ productId, configs }],
      named: 'nobody',
      policiesNameAgents: false,
    }).warnings.map(({ code }) => code);
  expect(['2026-03-01', '2026-03-02'].map(warningsOn)).toEqual([[], ['renewal_date_passed']]);
});
