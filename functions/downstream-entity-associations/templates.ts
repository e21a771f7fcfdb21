import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import {
  type ContractContainerTemplate,
  contractContainerTemplate,
} from '../../shared/domain/associations/contract-container-template.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { partitionQuery } from '../../shared/platform/data/query-pages.ts';
import { recordPages } from '../../shared/platform/data/record-pages.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';

/** A carrier's active contract container templates. */
export interface TemplateStore {
  list(owner: string): AsyncIterable<ContractContainerTemplate[]>;
  find(owner: string, templateId: string): Promise<ContractContainerTemplate | undefined>;
}

const storedTemplate = storedItem('associations/template', () => ({
  ...contractContainerTemplate.shape,
  isDeleted: z.boolean(),
}));

const isUsable = ({ isActive, isDeleted }: z.output<typeof storedTemplate>): boolean =>
  isActive && !isDeleted;

export const createTemplateStore = (client: DynamoDBClient, table: string): TemplateStore => ({
  async *list(owner) {
    const query = partitionQuery(table, associationKeys.template(owner, '').pk);
    for await (const templates of recordPages(client, storedTemplate, query)) {
      yield templates.filter(isUsable);
    }
  },

  async find(owner, templateId) {
    const key = associationKeys.template(owner, templateId);
    const found = await getItem(client, table, key, storedTemplate, { consistent: false });
    return found !== undefined && isUsable(found) ? found : undefined;
  },
});
