import { type ImportedRows, recordImport, recordReport, withAddition } from '#domain/decision/record.ts';
import {
  type ActionRow,
  type AppointmentRow,
  type HolderRecords,
  type LicenseRow,
  type LineRow,
  noRecords,
  type SaleDay,
  type StatedRow,
  type UnreadPlace,
} from '#domain/decision/records.ts';
import { compare } from '#platform/data/keys.ts';

// What the registry and imports say of a holder, as the tests of the decision write it down.

interface Moments {
  /** ISO time in UTC. */
  readonly at: string;
  /** When it was recorded, if later. */
  readonly recordedAt?: string;
  /** Calls of one command have its id; by default, a command is one call. */
  readonly id?: string;
}

/** What only a row of an import says. */
interface Given {
  readonly isDeleted?: boolean;
}

interface Rows<OfImport> {
  readonly licenses?: readonly (LicenseRow & OfImport)[];
  readonly appointments?: readonly (AppointmentRow & OfImport)[];
  readonly actions?: readonly (ActionRow & OfImport)[];
}

/** A report of the registry, of the kinds that it has. */
export type ReportCommand = Moments &
  Rows<unknown> & { readonly kind: 'report'; readonly unread?: readonly UnreadPlace[] };

/** Lines of an import. */
export type ImportCommand = Moments & Rows<Given> & { readonly kind: 'import'; readonly isComplete?: true };

/** One of them, a visit of the registry that does not find the NPN, or a sale of the party. */
export type CaseCommand =
  | ReportCommand
  | ImportCommand
  | (Moments & { readonly kind: 'not found' })
  | { readonly kind: 'sale'; readonly sale: SaleDay };

export type { ActionRow, AppointmentRow, Given, LicenseRow, LineRow };

export type Records = HolderRecords<LicenseRow, AppointmentRow, ActionRow>;

const recordedAtOf = (command: CaseCommand): string =>
  command.kind === 'sale' ? command.sale.day : (command.recordedAt ?? command.at);

/** Records one command after another, as the service does. */
export const recordedBy = (commands: readonly CaseCommand[], before: Records = noRecords): Records =>
  commands
    .toSorted((one, other) => compare(recordedAtOf(one), recordedAtOf(other)))
    .reduce(withCommand, before);

/** The records with what one more command adds. */
export function withCommand(records: Records, command: CaseCommand): Records {
  if (command.kind === 'sale') return { ...records, sales: [...records.sales, command.sale] };
  const { at, recordedAt = at, id = JSON.stringify(command) } = command;
  const recording = { id, at, recordedAt };
  if (command.kind === 'not found')
    return withAddition(records, recordReport(records, { ...recording, isFound: false }));
  const { licenses, appointments, actions } = command;
  if (command.kind === 'report')
    return withAddition(
      records,
      recordReport(records, {
        ...recording,
        licenses,
        appointments,
        actions,
        unread: command.unread ?? [],
        isFound: true,
      }),
    );
  const said = <Row extends { readonly stateCode: string }>(
    rows: readonly StatedRow<Row>[] = [],
  ): ImportedRows<Row> => ({
    rows,
    ...(command.isComplete ? { completeStates: new Set(rows.map(({ stateCode }) => stateCode)) } : {}),
  });
  return withAddition(
    records,
    recordImport(
      records,
      { licenses: said(licenses), appointments: said(appointments), actions: said(actions) },
      recording,
    ),
  );
}
