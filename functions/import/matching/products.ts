import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createComplianceConfigs } from '../../../shared/domain/compliance/store.ts';
import type { Policy } from '../../../shared/domain/policies/resource.ts';
import { collect } from '../../../shared/platform/data/collect.ts';
import { given } from './transaction.ts';

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

const comparable = (text: string | undefined): string | undefined => given(text)?.toLowerCase();

/** Reads an owner's compliance configs, some dozens, by which the products of policies are known. */
export async function readProducts(
  client: DynamoDBClient,
  table: string,
  owner: string,
): Promise<MatchProduct> {
  const configs = await collect(createComplianceConfigs(client, table).all(owner, new Date()));
  return ({ productCode, productName }) => {
    const having = (field: 'productCode' | 'productName', written: string | undefined): string[] => {
      const value = comparable(written);
      const fitting = configs.filter((config) => value !== undefined && comparable(config[field]) === value);
      return fitting.map(({ productId }) => productId);
    };
    const found = [having('productCode', productCode), having('productName', productName)].filter(
      (ids) => ids.length > 0,
    );
    const [first] = found;
    if (first === undefined) return { productMatchStatus: 'unmatched' };
    const agreed = first.filter((id) => found.every((ids) => ids.includes(id)));
    return agreed.length === 1
      ? { productMatchStatus: 'auto matched', productId: agreed[0] }
      : { productMatchStatus: 'needs clarification' };
  };
}
