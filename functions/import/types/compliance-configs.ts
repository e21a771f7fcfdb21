import { classKindsChanged, configChanged } from '#domain/compliance/inputs-changed.ts';
import { createRecordConfig, repeatedStates } from '#domain/compliance/record-config.ts';
import { configHeads, createRecordClassKind, type Product, productOfHead } from '#domain/compliance/store.ts';
import { type ComplianceConfig, largestConfig } from '#domain/decision/compliance-config.ts';
import { invalid, invalidAt } from '#platform/contract/errors.ts';
import { comparableCode } from '#platform/contract/primitives.ts';
import { concurrently } from '#platform/data/concurrently.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import type { Table } from '#platform/data/table.ts';
import { recordSchemas } from '../record-schemas.ts';
import {
  type ImportDependencies,
  type ImportType,
  importedRecords,
  ownedRecords,
} from '../run/import-records.ts';
import { hashOf, importInOrder } from '../run/lines.ts';

/**
 * The id of a product whose config names none: that of the organization's product with its code, else with its name and no other
 * code, else one that is derived from these.
 * @throws ApiError `validation_error` where several products have them.
 */
async function productIdOf(
  table: Table,
  owner: string,
  { productCode, productName }: Pick<ComplianceConfig, 'productCode' | 'productName'>,
  now: Date,
): Promise<string> {
  const code = comparableCode(productCode ?? '');
  const name = comparableCode(productName);
  const products = (await configHeads(table, owner)).map((head) => productOfHead(head, now));
  const codeOf = (product: Product): string => comparableCode(product.productCode ?? '');
  const ofCode = products.filter((product) => code !== '' && codeOf(product) === code);
  const ofName = products.filter(
    (product) => comparableCode(product.productName) === name && (code === '' || codeOf(product) === ''),
  );
  const [product, ...otherProducts] = ofCode.length > 0 ? ofCode : ofName;
  if (otherProducts.length > 0)
    throw invalidAt('productId', 'is required: several products have this code or this name');
  return (
    product?.productId ??
    derivedObjectId(owner, 'product', ...(code === '' ? ['name', name] : ['code', code]))
  );
}

/** Requirements of carriers' products for producers; a config is identified by its product. */
export const complianceConfigImport = ({
  tables: { compliance: table },
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'compliance'>): ImportType => {
  const recordConfig = createRecordConfig(table);
  return ownedRecords(organizations, {
    types: ['compliance-config'],
    record: recordSchemas['compliance-config'],
    // One after another: of several lines of one product the last one counts.
    importLines: ({ organizationId: owner }, lines) =>
      importInOrder(lines, async (record) => {
        const {
          type: _type,
          _id,
          upstreamEntityId: _owner,
          createdAt,
          updatedAt,
          isDeleted,
          ...config
        } = record;
        const issues = repeatedStates(config.states);
        if (issues.length > 0) throw invalid(...issues);
        const time = now();
        const productId = config.productId ?? (await productIdOf(table, owner, config, time));
        if (Buffer.byteLength(JSON.stringify(config)) > largestConfig)
          throw invalidAt('', `has more than ${largestConfig} bytes`);
        const change = {
          config: { ...config, productId },
          isDeleted,
          createdAt,
          updatedAt,
          isSilent,
          recordHash: hashOf(record),
          mustExist: false,
        };
        await recordConfig(owner, change, time, (_config, isChangedNow) =>
          isChangedNow ? events([configChanged(owner, productId)], time) : [],
        );
        return undefined;
      }),
  });
};

/** Kinds of license classes, for an organization, or for everybody where neither the line nor the import names one. */
export const classKindImport = ({
  tables: { compliance: table },
  organizations,
  now,
  events,
  isSilent,
}: ImportDependencies<'compliance'>): ImportType => {
  const recordClassKind = createRecordClassKind(table);

  /** Emits events for all carriers, even where nothing was recorded now: an import that broke off before this is done again. */
  async function emitForEverybody(): Promise<void> {
    const carriers = (await organizations.all()).filter(({ category }) => category === 'upstreamEntity');
    await concurrently(carriers, ({ organizationId }) =>
      table.transact(events([classKindsChanged(organizationId)], now())),
    );
  }

  return importedRecords(organizations, {
    types: ['class-kind'],
    record: recordSchemas['class-kind'],
    // One after another: of several lines of one class the last one counts.
    importLines: (organization, lines) =>
      importInOrder(lines, async ({ stateCode, classCode, className, kind, isDeleted }) => {
        const owner = organization?.organizationId;
        const statement = { stateCode, classCode, className, kind: isDeleted === true ? null : kind };
        await recordClassKind(owner, statement, { isSilent, now }, (time) =>
          owner === undefined ? [] : events([classKindsChanged(owner)], time),
        );
        if (owner === undefined && !isSilent) await emitForEverybody();
        return undefined;
      }),
  });
};
