import * as z from 'zod/mini';
import {
  type ContractContainerTemplate,
  contractContainerTemplate,
} from '../../shared/domain/associations/contract-container-template.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

const storedTemplate = storedItem('associations/template', () => ({
  ...contractContainerTemplate.shape,
  isDeleted: z.boolean(),
}));

const isUsable = ({ isActive, isDeleted }: z.output<typeof storedTemplate>): boolean =>
  isActive && !isDeleted;

/** A carrier's active contract container templates. */
export const createTemplateStore = (associations: Table) => ({
  async *list(owner: string): AsyncIterable<ContractContainerTemplate[]> {
    const { pk } = associationKeys.template(owner, '');
    for await (const templates of associations.query(storedTemplate, pk, { leavesOut: true })) {
      yield templates.filter(isUsable);
    }
  },

  async find(owner: string, templateId: string): Promise<ContractContainerTemplate | undefined> {
    const key = associationKeys.template(owner, templateId);
    const found = await associations.get(storedTemplate, key, { consistent: false });
    return found !== undefined && isUsable(found) ? found : undefined;
  },
});
