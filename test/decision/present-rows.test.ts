import { presentRows } from '../../shared/domain/decision/present-rows.ts';
import {
  appointment,
  appointmentList,
  license,
  licenseImport,
  licenseList,
  line,
  terminated,
} from './case-rows.ts';
import { type Facts, recordedBy, texts } from './histories.ts';

// Which rows lists of the present show.

describe('held', () => {
  const heldOn = (facts: Facts, today: string) => {
    const { licenses, appointments, licensesByKey } = presentRows(facts, today);
    return {
      licenses: texts(licenses.flatMap(({ rows }) => rows.map((row) => row.issueDate ?? ''))),
      appointments: appointments.flatMap(({ rows }) => rows.map(({ status }) => status)),
      keys: Object.fromEntries(licensesByKey),
    };
  };

  it('is what was stated and no list left out, and the former term of a license that covers the day or a later one', () => {
    const former = license({ issueDate: '2024-03-01', nextRenewalDate: '2026-02-28' });
    const renewed = license({ issueDate: '2026-03-01', nextRenewalDate: '2028-02-28' });
    const facts = recordedBy([licenseList('2026-01-10', former), licenseList('2026-02-10', renewed)]);
    expect(heldOn(facts, '2026-02-28').licenses).toEqual(['2024-03-01', '2026-03-01']);
    expect(heldOn(facts, '2026-03-01').licenses).toEqual(['2026-03-01']);
    // One that carries lines covers only days on which one of them counts.
    const withLine = license({
      issueDate: '2024-03-01',
      linesOfAuthority: [line('16'), line('20', { status: 'inactive', statusDate: '2025-01-01' })],
    });
    const lineEnded = recordedBy([
      licenseList('2026-01-10', withLine),
      licenseList('2026-01-20', {
        ...withLine,
        linesOfAuthority: [line('16', { status: 'inactive', statusDate: '2026-01-15' })],
      }),
      licenseList('2026-02-10', renewed),
    ]);
    expect(heldOn(lineEnded, '2026-01-14').licenses).toEqual(['2024-03-01', '2026-03-01']);
    expect(heldOn(lineEnded, '2026-01-15').licenses).toEqual(['2026-03-01']);
  });

  it('is an appointment, live or ended, until a list leaves it out', () => {
    const both = [appointment(), terminated({ companyCode: '10847' })];
    const facts = recordedBy([appointmentList('2026-01-10', ...both)]);
    expect(heldOn(facts, '2026-03-01').appointments).toEqual(['Appointed', 'Terminated']);
    const left = recordedBy([
      appointmentList('2026-01-10', ...both),
      appointmentList('2026-02-10', terminated({ companyCode: '10847' })),
    ]);
    expect(heldOn(left, '2026-02-09').appointments).toEqual(['Appointed', 'Terminated']);
    expect(heldOn(left, '2026-02-10').appointments).toEqual(['Terminated']);
  });

  it('is a license that an import says begins later', () => {
    const facts = recordedBy([licenseImport('2026-01-10', { validFrom: '2026-06-01' })]);
    expect(heldOn(facts, '2026-02-01').licenses).toEqual(['2025-03-01']);
  });

  it('is of one license under each of its keys', () => {
    const classless = license({ licenseClassCode: null, licenseClassName: null });
    const facts = recordedBy([
      licenseImport('2026-01-10', license(), license({ stateCode: 'GA' })),
      licenseImport('2026-01-11', { ...classless, issueDate: '2024-03-01' }),
    ]);
    expect(heldOn(facts, '2026-02-01').keys).toEqual({
      'TX 1001#P': '1001#P',
      'TX 1001#': '1001#P',
      'GA 1001#P': '1001#P',
    });
  });
});
