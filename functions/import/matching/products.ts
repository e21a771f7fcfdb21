import { createComplianceConfigs } from '../../../shared/domain/compliance/store.ts';
import { productsNamedBy } from '../../../shared/domain/decision/products.ts';
import type { Policy } from '../../../shared/domain/policies/resource.ts';
import type { Table } from '../../../shared/platform/data/table.ts';

/** What is known of a policy's product. */
export interface ProductMatch {
  readonly productMatchStatus: Policy['productMatchStatus'];
  /** The product; undefined where none was found, or a person must choose among several. */
  readonly productId?: string | undefined;
}

/** The fields that name a policy's product. */
export type ProductFields = Pick<Policy, 'productCode' | 'productName'>;

/** Decides which of an owner's products a policy is. */
export type MatchProduct = (fields: ProductFields) => ProductMatch;

/** Reads an owner's products, some dozens, by which those of policies are known. */
export async function readProducts(compliance: Table, owner: string, now: Date): Promise<MatchProduct> {
  const productsOf = productsNamedBy(await createComplianceConfigs(compliance).products(owner, now));
  return (fields) => {
    const [product, ...others] = productsOf(fields);
    if (product === undefined) return { productMatchStatus: 'unmatched' };
    return others.length === 0
      ? { productMatchStatus: 'auto matched', productId: product.productId }
      : { productMatchStatus: 'needs clarification' };
  };
}
