import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import type { CompatibleSchema } from '../../platform/contract/compatible.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { queryPages } from '../../platform/data/query-pages.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { type Appointment, appointment } from './appointment.ts';
import { type License, license } from './license.ts';
import { registryKeys } from './stored.ts';

/** Filters of a license list; they combine. */
export interface LicenseFilters {
  readonly stateCode?: License['stateCode'] | undefined;
  readonly status?: string | undefined;
}

/** Filters of an appointment list; they combine. */
export type AppointmentFilters = LicenseFilters;

/** What an NPN holds, on which its compliance depends: one query each. */
export interface HeldRecords {
  licensesOf(owner: string, npn: string, filters?: LicenseFilters): AsyncIterable<License[]>;
  appointmentsOf(owner: string, npn: string, filters?: AppointmentFilters): AsyncIterable<Appointment[]>;
}

type Partition = ReturnType<typeof registryKeys.ofNpn>;

/** The items of one kind of an NPN, one database page at a time. */
export async function* itemsOf(
  client: DynamoDBClient,
  table: string,
  { pk, skPrefix }: Partition,
): AsyncGenerator<Record<string, unknown>[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: toItem({ ':partition': pk, ':prefix': skPrefix }),
  };
  for await (const items of queryPages(client, query)) yield items.map((item) => unmarshall(item));
}

/** The records of one kind of an NPN, one database page at a time. */
export async function* recordsOf<Schema extends CompatibleSchema>(
  client: DynamoDBClient,
  table: string,
  partition: Partition,
  schema: Schema,
): AsyncGenerator<z.output<Schema>[]> {
  for await (const items of itemsOf(client, table, partition)) {
    yield items.map((item) => parseStored(schema, item));
  }
}

export function createHeldRecords(client: DynamoDBClient, table: string): HeldRecords {
  /** An NPN has some dozens of records, so the status is filtered after the key has selected them. */
  async function* held<Schema extends CompatibleSchema<{ readonly status: string }>>(
    kind: 'LICENSE' | 'APPOINTMENT',
    schema: Schema,
    [owner, npn, { stateCode, status } = {}]: Parameters<HeldRecords['licensesOf']>,
  ): AsyncGenerator<z.output<Schema>[]> {
    for await (const page of recordsOf(
      client,
      table,
      registryKeys.ofNpn(owner, npn, kind, stateCode),
      schema,
    )) {
      yield page.filter((one) => status === undefined || one.status === status);
    }
  }

  return {
    licensesOf: (...selection) => held('LICENSE', license, selection),
    appointmentsOf: (...selection) => held('APPOINTMENT', appointment, selection),
  };
}
