import * as z from 'zod/mini';
import { complianceConfig, configTimes } from '../resources/compliance.ts';

/** A product's config as an item; its key design stands in `shared/data/tables.ts`. */
export const storedComplianceConfig = z.extend(complianceConfig, configTimes);

export type StoredComplianceConfig = z.output<typeof storedComplianceConfig>;

export const complianceKeys = {
  config: (upstream: string, productId: string) => ({ pk: `${upstream}#CONFIG`, sk: productId }),
};
