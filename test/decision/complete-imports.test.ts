import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { type HolderFacts, termKey } from '../../shared/domain/decision/facts.ts';
import { type CompleteList, recordComplete } from '../../shared/domain/decision/record.ts';
import {
  appointment,
  appointmentImport,
  license,
  licenseImport,
  licenseList,
  notFound,
} from './case-rows.ts';
import type { AppointmentRow, CaseCommand, LicenseRow } from './commands.ts';
import { recordedBy } from './histories.ts';

// What a complete import ends.

const command = { commandId: 'complete', commandAt: '2026-03-01T15:00:00.000Z', by: 'import' } as const;

/** The rows that a complete import has of a state. */
const complete = <Row>(stateCode: string, ...rows: readonly (Row & { readonly validFrom?: string })[]) => ({
  stateCodes: new Set([stateCode]),
  lines: rows.map(({ validFrom = null, ...row }) => ({
    row: row as unknown as Row,
    validFrom,
    isDeleted: false,
  })),
});

const none: CompleteList<never> = { stateCodes: new Set(), lines: [] };

const completed = (
  facts: HolderFacts,
  lists: { licenses?: CompleteList<LicenseRow>; appointments?: CompleteList<AppointmentRow> },
) => recordComplete(facts, { licenses: none, appointments: none, ...lists }, command);

describe('a complete import', () => {
  const [one, other] = [license(), license({ licenseNumber: '2' })];
  const georgia = license({ stateCode: 'GA' });
  const held = recordedBy([
    licenseImport('2026-01-10', one, other, georgia),
    appointmentImport('2026-01-11', appointment(), appointment({ companyCode: '10847' })),
  ]);
  const closing = { kind: 'license', stateCode: 'TX', ...command };

  it('ends the licenses of its state that it does not name, and no others', () => {
    expect(completed(held, { licenses: complete('TX', one) })).toEqual({
      licenses: [{ what: 'left out', stateCode: 'TX', key: termKey(other), ...command }],
      appointments: [],
      closings: [closing],
      unread: [],
    });
  });

  it('ends appointments alike, by the day that it gives', () => {
    const undated = { ...appointment({ statusChangeDate: null }), validFrom: '2026-01-05' };
    const facts = recordedBy([
      appointmentImport('2026-01-11', undated, appointment({ companyCode: '10847' })),
    ]);
    const { appointments, licenses, closings } = completed(facts, { appointments: complete('TX', undated) });
    expect({ left: appointments.map(({ key }) => key), licenses, closings }).toEqual({
      left: ['code 10847###2025-03-01'],
      licenses: [],
      closings: [{ ...closing, kind: 'appointment' }],
    });
  });

  it('ends nothing that was recorded after it', () => {
    const importedAt = (at: string): CaseCommand => ({ ...licenseImport(at, other), at });
    const leftAfter = (at: string) =>
      completed(recordedBy([importedAt(at)]), { licenses: complete('TX', one) }).licenses.length;
    expect([leftAfter(command.commandAt), leftAfter('2026-03-01T15:00:00.001Z')]).toEqual([1, 0]);
  });

  it('is recorded once, where nothing was recorded since', () => {
    const lists = { licenses: complete('TX', one) };
    const { licenses, closings } = completed(held, lists);
    const recording = { recordedAt: command.commandAt, by: 'import' } as const;
    const after: HolderFacts = {
      ...held,
      licenses: [...held.licenses, ...licenses.map((fact) => ({ ...fact, ...recording }))],
      closings: closings.map((list) => ({ ...list, ...recording })),
    };
    const again = recordComplete(
      after,
      { licenses: lists.licenses, appointments: none },
      { ...command, commandId: 'again', commandAt: '2026-03-02T15:00:00.000Z' },
    );
    expect(again).toEqual({ licenses: [], appointments: [], closings: [], unread: [] });
  });

  it('that states a license live ends nothing of it by what is an end beside it', () => {
    const end = license({ issueDate: '2020-03-01', status: 'Revoked' });
    const facts = recordedBy([licenseImport('2026-01-10', one), licenseImport('2026-03-01', end)]);
    const ended = { ...command, commandId: command.commandAt };
    const { closings } = recordComplete(
      facts,
      { licenses: complete('TX', one, end), appointments: none },
      ended,
    );
    const untilOf = (known: HolderFacts) =>
      coverageOf(known, '9999')
        .get('TX')
        ?.terms.flatMap(({ spans }) => spans.map(({ until }) => until));
    expect(untilOf(facts)).toEqual(['2026-02-28']);
    const recorded = closings.map((list) => ({ ...list, by: 'import' as const, recordedAt: list.commandAt }));
    const after = { ...facts, closings: recorded };
    expect(untilOf(after)).toEqual(['9999-12-31']);
    expect(coverageOf(after, '9999').home.begun('2026-03-01')).toBe('import');
  });

  it('says nothing of whether the registry finds the NPN', () => {
    const facts = recordedBy([licenseList('2026-01-10', one), notFound('2026-02-10')]);
    const { closings } = completed(facts, { licenses: complete('TX', one) });
    const recorded = closings.map((list) => ({ ...list, by: 'import' as const, recordedAt: list.commandAt }));
    expect(recorded).toHaveLength(1);
    expect(coverageOf({ ...facts, closings: [...facts.closings, ...recorded] }, '9999').isNotFound).toBe(
      true,
    );
  });
});
