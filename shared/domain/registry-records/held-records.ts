import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../../platform/contract/compatible.ts';
import { mapPages } from '../../platform/data/collect.ts';
import { startsWith } from '../../platform/data/expressions.ts';
import type { Table } from '../../platform/data/table.ts';
import { appointment } from '../registry/appointment.ts';
import { type License, license } from '../registry/license.ts';
import { registryKeys } from './stored.ts';

/** Filters of a license list; they combine. */
export interface LicenseFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** Filters of an appointment list; they combine. */
export type AppointmentFilters = LicenseFilters;

type Selection = [owner: string, npn: string, filters?: LicenseFilters];

type Partition = ReturnType<typeof registryKeys.ofNpn>;

/** The records of one kind of an NPN as lists have them (`leavesOut`), one database page at a time. */
export const recordsOf = <Schema extends CompatibleSchema>(
  table: Table,
  { pk, skPrefix }: Partition,
  schema: Schema,
): AsyncGenerator<z.output<Schema>[]> =>
  table.query(schema, pk, { sort: startsWith(skPrefix), leavesOut: true });

/** What an NPN holds, on which its compliance depends: one query each. */
export function createHeldRecords(table: Table) {
  /** An NPN has some dozens of records, so the status is filtered after the key has selected them. */
  const held = <Schema extends CompatibleSchema<{ readonly status: string }>>(
    kind: 'LICENSE' | 'APPOINTMENT',
    schema: Schema,
    [owner, npn, { stateCode, status } = {}]: Selection,
  ): AsyncGenerator<z.output<Schema>[]> =>
    mapPages(recordsOf(table, registryKeys.ofNpn(owner, npn, kind, stateCode), schema), (page) =>
      page.filter((one) => status === undefined || one.status === status),
    );

  return {
    licensesOf: (...selection: Selection) => held('LICENSE', license, selection),
    appointmentsOf: (...selection: Selection) => held('APPOINTMENT', appointment, selection),
  };
}
