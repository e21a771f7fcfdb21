import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { complianceKeys } from '../../shared/compliance/stored.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { type TransactionItem, transact } from '../../shared/data/transact.ts';
import { DomainError } from '../../shared/errors/domain-error.ts';
import type { ComplianceConfig } from '../../shared/resources/compliance.ts';

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
  (owner, { productId, productName, carrierNaicCodes, states }, now, furtherItems) =>
    transact(client, [
      {
        write: {
          Update: {
            TableName: table,
            Key: toItem(complianceKeys.config(owner, productId)),
            UpdateExpression: `SET productName = :name, #states = :states, updatedAt = :now${
              carrierNaicCodes === undefined ? ' REMOVE carrierNaicCodes' : ', carrierNaicCodes = :insurers'
            }`,
            ConditionExpression: 'isDeleted = :no',
            ExpressionAttributeNames: { '#states': 'states' },
            ExpressionAttributeValues: toItem({
              ':name': productName,
              ':states': states,
              ...(carrierNaicCodes === undefined ? {} : { ':insurers': carrierNaicCodes }),
              ':now': now.toISOString(),
              ':no': false,
            }),
          },
        },
        refused: () => new DomainError('not_found'),
      },
      ...furtherItems,
    ]);
