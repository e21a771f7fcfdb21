import { comparableCode } from '../../platform/contract/primitives.ts';
import { groupBy } from '../../platform/data/grouping.ts';

/** What names a product: of a policy, or of a compliance config. */
export interface ProductNames {
  readonly productCode?: string | undefined;
  readonly productName?: string | undefined;
}

const comparable = (text: string | undefined): string => comparableCode(text ?? '');

/**
 * Which of an organization's products a policy may be of (OpenAPI, "Matching"): those with its code, else those with its name,
 * without regard to case. Several where that does not say which; of those with one code, the ones with the name count if some have it.
 */
export function productsNamedBy<Product extends ProductNames>(
  products: readonly Product[],
): (policy: ProductNames) => readonly Product[] {
  const byCode = groupBy(products, ({ productCode }) => comparable(productCode));
  const byName = groupBy(products, ({ productName }) => comparable(productName));
  const having = (known: ReadonlyMap<string, readonly Product[]>, text: string | undefined) =>
    (comparable(text) === '' ? undefined : known.get(comparable(text))) ?? [];
  return ({ productCode, productName }) => {
    const ofCode = having(byCode, productCode);
    const ofName = having(byName, productName);
    if (ofCode.length === 0) return ofName;
    const ofBoth = ofCode.filter((product) => ofName.includes(product));
    return ofBoth.length === 0 ? ofCode : ofBoth;
  };
}
