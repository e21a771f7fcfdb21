import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { restoredKey } from '../../shared/platform/changes/restored.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import type { TableDesign } from '../../shared/platform/data/table-design.ts';

/** Records of a restored table, once, that the service uses it: from then on its lists can be followed again. */
export const recordMove = (
  client: DynamoDBClient,
  table: string,
  design: Pick<TableDesign, 'sortKey'>,
  now: Date,
): Promise<boolean> =>
  conditionHeld(
    client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: toItem(restoredKey(design)),
        UpdateExpression: 'SET movedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(movedAt)',
        ExpressionAttributeValues: toItem({ ':now': now.toISOString() }),
      }),
    ),
  );
