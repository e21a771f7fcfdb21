import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { npnOfPartition, registryPartitions } from '../../../shared/domain/registry-records/stored.ts';
import { concurrently } from '../../../shared/platform/data/concurrently.ts';
import { toItem } from '../../../shared/platform/data/dynamo.ts';

/** A license as a transaction names it; undefined members make it none. */
export interface WrittenLicense {
  readonly number: string | undefined;
  readonly state: string | undefined;
}

/** The NPNs of a license. */
export type NpnsOfLicense = (license: WrittenLicense) => readonly string[];

/** Queries at the same time. */
const concurrency = 32;

/** The key of a license; undefined for one whose number or state is missing. */
const keyOf = (owner: string, { number, state }: WrittenLicense): string | undefined => {
  const [of, by] = [number?.trim() ?? '', state?.trim().toUpperCase() ?? ''];
  return of === '' || by === '' ? undefined : registryPartitions.ofLicenseNumber(owner, by, of);
};

/** Reads whose licenses these are, among an owner's registry records; each license once. */
export async function readNpnsOfLicenses(
  client: DynamoDBClient,
  table: string,
  owner: string,
  licenses: readonly WrittenLicense[],
): Promise<NpnsOfLicense> {
  const npns = new Map<string, readonly string[]>();
  const keys = new Set(licenses.flatMap((license) => keyOf(owner, license) ?? []));
  await concurrently(keys, concurrency, async (key) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-license-number',
        KeyConditionExpression: 'licenseNumberKey = :key',
        ExpressionAttributeValues: toItem({ ':key': key }),
      }),
    );
    npns.set(key, [...new Set(Items.map(({ pk }) => npnOfPartition(pk?.S ?? '')))]);
  });
  return (license) => npns.get(keyOf(owner, license) ?? '') ?? [];
}
