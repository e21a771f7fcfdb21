import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { toItem } from '../../platform/data/dynamo.ts';
import { getItem } from '../../platform/data/get-item.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { registryKeys } from '../registry-records/stored.ts';
import { registryAction, registryAppointment, registryEntity, registryLicense } from './registry.ts';

/** What an operator set for an NPN in the simulator; for the rest the simulator's default applies. */
export const simulatedRecord = storedItem('registry-records/simulated-record', () => ({
  /** Null: the registry does not know the NPN. */
  entity: z.optional(z.nullable(z.omit(registryEntity, { licenses: true, appointments: true }))),
  licenses: z.optional(z.array(registryLicense)),
  appointments: z.optional(z.array(registryAppointment)),
  regulatoryActions: z.optional(z.array(registryAction)),
  /** Whether the registry fails for the NPN. */
  unavailable: z.optional(z.boolean()),
}));

export type SimulatedRecord = z.output<typeof simulatedRecord>;

/** The records that operators set in the simulator. */
export interface SimulatedRecords {
  read(npn: string): Promise<SimulatedRecord>;
  /** Replaces the members that are given; returns everything that operators set for the NPN. */
  set(npn: string, record: SimulatedRecord): Promise<SimulatedRecord>;
}

export function createSimulatedRecords(client: DynamoDBClient, table: string): SimulatedRecords {
  return {
    async read(npn) {
      const key = registryKeys.simulated(npn);
      return (await getItem(client, table, key, simulatedRecord, { consistent: true })) ?? {};
    },

    async set(npn, record) {
      const members = Object.entries(record).filter(([, value]) => value !== undefined);
      const { Attributes = {} } = await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem(registryKeys.simulated(npn)),
          ...(members.length === 0
            ? {}
            : {
                UpdateExpression: `SET ${members.map((_, index) => `#${index} = :${index}`).join(', ')}`,
                ExpressionAttributeNames: Object.fromEntries(
                  members.map(([name], index) => [`#${index}`, name]),
                ),
                ExpressionAttributeValues: toItem(
                  Object.fromEntries(members.map(([, value], index) => [`:${index}`, value])),
                ),
              }),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return parseStored(simulatedRecord, unmarshall(Attributes));
    },
  };
}
