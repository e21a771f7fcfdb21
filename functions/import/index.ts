import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createImportFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);

export const handler = createImportFunction({
  clients: { dynamo: createDynamoClient() },
  tables,
  context: functionContext('import', values),
});
