import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { KeyAttribute, TableDesign } from '../../shared/data/tables.ts';
import type { Environment } from '../environments.ts';
import type { Binding } from './binding.ts';
import { alwaysExported } from './exports.ts';

/** Actions on single items. DynamoDB has none for transactions: those are checked per item, as the action they do. */
type ItemAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

type IndexName<Design extends TableDesign> = Design extends { readonly indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

type Queried<Design extends TableDesign> = IndexName<Design> | 'table';

interface Allowed<Design extends TableDesign> {
  readonly items?: readonly [ItemAction, ...ItemAction[]];
  /** What may be queried: indexes by name, or the table itself. */
  readonly query?: readonly [Queried<Design>, ...Queried<Design>[]];
}

/**
 * A table as its design says: on demand, encrypted; business data with point-in-time recovery and kept.
 *
 * `TableV2` is CloudFormation's type for tables that can have replicas in other regions; a table of the older type would
 * have to be migrated to get them. There are none: leases, sentinel items, transactions and conditional writes hold in
 * one region alone, and two regions that both take writes would break every one of them.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables_HowItWorks.html
 */
export class Table<const Design extends TableDesign = TableDesign> extends Construct {
  readonly design: Design;
  readonly #table: dynamodb.TableV2;

  constructor(scope: Construct, design: Design, environment: Environment) {
    super(scope, design.name);
    this.design = design;
    const business = design.kind === 'business';
    const kept = business && environment.keepsData;
    this.#table = new dynamodb.TableV2(this, 'Table', {
      partitionKey: attribute(design.partitionKey),
      ...(design.sortKey === undefined ? {} : { sortKey: attribute(design.sortKey) }),
      globalSecondaryIndexes: Object.entries(design.indexes ?? {}).map(([indexName, index]) => ({
        indexName,
        partitionKey: attribute(index.partitionKey),
        sortKey: attribute(index.sortKey),
        projectionType:
          index.projection === 'all' ? dynamodb.ProjectionType.ALL : dynamodb.ProjectionType.KEYS_ONLY,
      })),
      billing: dynamodb.Billing.onDemand(),
      // A key that KMS manages and CloudTrail shows in use: remembered answers can hold a newly made secret.
      encryption: dynamodb.TableEncryptionV2.awsManagedKey(),
      // Other tables hold only items that expire within hours; a restored one would be out of date.
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: business },
      deletionProtection: kept,
      // Kept even if its creation is rolled back: a protected table can't be deleted, and its generated name is in
      // nobody's way.
      removalPolicy: kept ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(design.timeToLive === undefined ? {} : { timeToLiveAttribute: design.timeToLive }),
      ...(design.stream === undefined ? {} : { dynamoStream: dynamodb.StreamViewType.NEW_IMAGE }),
    });
    alwaysExported(this, this.#table.tableName, this.#table.tableArn);
    if (design.stream !== undefined) alwaysExported(this, this.streamArn);
  }

  /** The table's name together with the permission for exactly these actions. */
  allows(allowed: Allowed<Design>): Binding {
    const { tableArn, tableName } = this.#table;
    const { items = [], query = [] } = allowed;
    return {
      value: tableName,
      grant: (role: IRole) => {
        if (items.length > 0) {
          role.addToPrincipalPolicy(
            new PolicyStatement({
              actions: items.map((action) => `dynamodb:${action}`),
              resources: [tableArn],
            }),
          );
        }
        if (query.length > 0) {
          role.addToPrincipalPolicy(
            new PolicyStatement({
              actions: ['dynamodb:Query'],
              resources: query.map((queried) =>
                queried === 'table' ? tableArn : `${tableArn}/index/${queried}`,
              ),
            }),
          );
        }
      },
    };
  }

  /** Where the table's changes are read. @throws Error for a table that does not tell of its changes. */
  get streamArn(): string {
    const { tableStreamArn } = this.#table;
    if (tableStreamArn === undefined) throw new Error(`The table ${this.design.name} has no stream.`);
    return tableStreamArn;
  }

  /** What Lambda needs of a function's role to hand it the table's changes. */
  feeds(role: IRole): void {
    const actions = ['GetRecords', 'GetShardIterator', 'DescribeStream'];
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [this.streamArn],
      }),
    );
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Lambda asks for ListStreams, which takes no resource, before it maps a stream.',
    });
  }

  /** Requests that DynamoDB held back because the table, an index or one key is asked for too much. */
  throttledRequests(period: Duration): IMetric {
    return this.#table.metricThrottledRequestsForOperations({ operations, period });
  }

  /** Requests that DynamoDB itself failed to answer. */
  systemErrors(period: Duration): IMetric {
    return this.#table.metricSystemErrorsForOperations({ operations, period });
  }
}

/** The operations that stores use; DynamoDB counts faults by operation. */
const operations = [
  dynamodb.Operation.GET_ITEM,
  dynamodb.Operation.BATCH_GET_ITEM,
  dynamodb.Operation.QUERY,
  dynamodb.Operation.PUT_ITEM,
  dynamodb.Operation.UPDATE_ITEM,
  dynamodb.Operation.TRANSACT_WRITE_ITEMS,
];

const attribute = (key: KeyAttribute): dynamodb.Attribute => ({
  name: key.name,
  type: key.type === 'S' ? dynamodb.AttributeType.STRING : dynamodb.AttributeType.NUMBER,
});
