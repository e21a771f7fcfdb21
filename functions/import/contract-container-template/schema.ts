import * as z from 'zod/mini';
import { contractContainerTemplate } from '../../../shared/domain/associations/contract-container-template.ts';
import { ownedFields } from '../common-fields.ts';

const { name, description, isActive } = contractContainerTemplate.shape;

/** A template as the resource shows it. */
export const contractContainerTemplateRecord = z.strictObject({
  type: z.literal('contract-container-template'),
  ...ownedFields,
  name,
  description: z._default(description, null),
  isActive: z._default(isActive, true),
});
