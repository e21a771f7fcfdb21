import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ComplianceConfig } from '../../shared/domain/compliance/resource.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { type TransactionItem, transact } from '../../shared/platform/data/transact.ts';
import { DomainError } from '../../shared/platform/errors/domain-error.ts';

/**
 * Replaces a config together with other items. It does not depend on what the config was, so the last of two concurrent
 * writers wins.
 *
 * @throws DomainError `not_found` when the owner has no config of that product, or a deleted one.
 */
export type ConfigReplacement = (
  owner: string,
  config: ComplianceConfig,
  now: Date,
  furtherItems: readonly TransactionItem[],
) => Promise<void>;

export const createConfigReplacement =
  (client: DynamoDBClient, table: string): ConfigReplacement =>
  (owner, { productId, productName, productCode, carrierNaicCodes, states }, now, furtherItems) => {
    const optional = { productCode, carrierNaicCodes };
    const given = Object.entries(optional).filter(([, value]) => value !== undefined);
    const omitted = Object.keys(optional).filter((name) => !given.some(([other]) => other === name));
    const set = ['productName = :name', '#states = :states', 'updatedAt = :now'];
    set.push(...given.map(([name]) => `${name} = :${name}`));
    return transact(client, [
      {
        write: {
          Update: {
            TableName: table,
            Key: toItem(complianceKeys.config(owner, productId)),
            UpdateExpression: `SET ${set.join(', ')}${omitted.length === 0 ? '' : ` REMOVE ${omitted.join(', ')}`}`,
            ConditionExpression: 'isDeleted = :no',
            ExpressionAttributeNames: { '#states': 'states' },
            ExpressionAttributeValues: toItem({
              ':name': productName,
              ':states': states,
              ...Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
              ':now': now.toISOString(),
              ':no': false,
            }),
          },
        },
        refused: () => new DomainError('not_found'),
      },
      ...furtherItems,
    ]);
  };
