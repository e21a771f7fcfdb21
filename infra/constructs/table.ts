import { type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { MathExpression, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { TableName, TableOrIndexName } from '#domain/tables.ts';
import type { TableUse } from '#function/uses.ts';
import type { IndexDesign, KeyAttribute, TableDesign } from '#platform/data/table-design.ts';
import type { Environment, RestoredTable } from '../environments.ts';
import { alwaysExported, type Binding, granting } from './resource.ts';

/**
 * A table with the keys and indexes of its design: on demand and encrypted. Business data has point-in-time recovery and
 * is retained.
 *
 * `TableV2` can get replicas in other regions, for which a table of the older type would have to be migrated. There are
 * none now: leases, sentinel items, transactions, and conditional writes are only valid within one region, so accepting
 * writes in two regions would break all of them.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/globaltables_HowItWorks.html
 *
 * A restored table is another resource: the one that it replaces leaves the stack and is retained, and CloudFormation
 * imports the restored one by its name. Others refer to it by its name as well, and not through exports: those of the
 * table that it replaces can only be removed when nothing uses them, so the other stacks are deployed first.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
 */
export class Table<const Design extends TableDesign = TableDesign> extends Construct {
  readonly design: Design & { readonly name: TableName };
  /** Logical id of the table in the data stack's template. */
  readonly logicalId: string;
  /** Name by which others refer to the table. */
  readonly #table: dynamodb.TableV2 | dynamodb.ITableV2;

  constructor(
    scope: Construct,
    design: Design & { readonly name: TableName },
    environment: Pick<Environment, 'keepsData' | 'restoredTables' | 'warmThroughput'>,
  ) {
    super(scope, design.name);
    this.design = design;
    const business = design.kind === 'business';
    const isKept = business && environment.keepsData;
    const restoredTable: RestoredTable | undefined = environment.restoredTables?.[design.name];
    const id = restoredTable === undefined ? 'Table' : `Table-${restoredTable.tableName}`;
    const table = new dynamodb.TableV2(this, id, {
      ...(restoredTable === undefined ? {} : { tableName: restoredTable.tableName }),
      partitionKey: attribute(design.partitionKey),
      ...(design.sortKey === undefined ? {} : { sortKey: attribute(design.sortKey) }),
      globalSecondaryIndexes: Object.entries(design.indexes ?? {}).map(([indexName, index]) => ({
        indexName,
        partitionKey: attribute(index.partitionKey),
        sortKey: attribute(index.sortKey),
        ...projectionOf(index),
        ...warm(environment, `${design.name}/${indexName}` as TableOrIndexName),
      })),
      ...warm(environment, design.name),
      billing: dynamodb.Billing.onDemand(),
      // An AWS managed key, whose use CloudTrail records: stored responses can contain a new secret.
      encryption: dynamodb.TableEncryptionV2.awsManagedKey(),
      // Transient tables have none: what they hold can be made anew or lost (runbook, "Restoring tables").
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: business },
      deletionProtection: isKept,
      // Retained even if its creation is rolled back: a protected table can't be deleted, and its generated name causes
      // no conflict. Restored tables likewise: CloudFormation imports only what it would retain.
      removalPolicy: isKept || restoredTable !== undefined ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      ...(design.timeToLive === undefined ? {} : { timeToLiveAttribute: design.timeToLive }),
      ...(design.stream === undefined ? {} : { dynamoStream: dynamodb.StreamViewType.NEW_IMAGE }),
    });
    alwaysExported(this, table.tableName, table.tableArn);
    if (design.stream !== undefined && table.tableStreamArn !== undefined) {
      alwaysExported(this, table.tableStreamArn);
    }
    this.logicalId = Stack.of(this).getLogicalId(table.node.defaultChild as dynamodb.CfnGlobalTable);
    this.#table =
      restoredTable === undefined
        ? table
        : dynamodb.TableV2.fromTableAttributes(this, 'Restored', {
            tableName: restoredTable.tableName,
            ...(restoredTable.streamArn === undefined ? {} : { tableStreamArn: restoredTable.streamArn }),
          });
    if (design.stream !== undefined && this.#table.tableStreamArn === undefined) {
      throw new Error(`restoredTables.${design.name} has no streamArn.`);
    }
  }

  /** The table's name, with the permission for exactly these actions. */
  allows(use: TableUse): Binding {
    const { tableArn, tableName } = this.#table;
    const items: readonly string[] = use.items ?? [];
    const queriedIndexes: readonly string[] = use.query ?? [];
    const statements = [
      { actions: items.map((action) => `dynamodb:${action}`), resources: [tableArn] },
      {
        actions: ['dynamodb:Query'],
        resources: queriedIndexes.map((index) =>
          index === 'table' ? tableArn : `${tableArn}/index/${index}`,
        ),
      },
    ];
    const neededStatements = statements.filter(
      ({ actions, resources }) => actions.length * resources.length > 0,
    );
    return granting(tableName, ...neededStatements);
  }

  /** ARN of the table's stream. @throws Error for a table without a stream. */
  get streamArn(): string {
    const { tableStreamArn } = this.#table;
    if (tableStreamArn === undefined) throw new Error(`The table ${this.design.name} has no stream.`);
    return tableStreamArn;
  }

  /** Grants a function's role what Lambda needs to read the table's stream. */
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
      reason: 'Lambda requires ListStreams, which does not support resources, to map a stream.',
    });
  }

  /** Units that requests consumed, of the table without its indexes. */
  consumedUnits(kind: 'Read' | 'Write', period: Duration): Metric {
    const props = { statistic: 'Sum', period };
    return kind === 'Read'
      ? this.#table.metricConsumedReadCapacityUnits(props)
      : this.#table.metricConsumedWriteCapacityUnits(props);
  }

  /**
   * Requests that DynamoDB throttled for the table or one of its indexes, or failed with a 5xx, whatever their operation. A
   * query, because DynamoDB has such a metric for each operation, and only since it throttled one: an alarm is paid for by
   * metric. https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Create_Metrics_Insights_Alarm.html
   */
  ofAllOperations(metricName: 'ThrottledRequests' | 'SystemErrors', period: Duration): MathExpression {
    return new MathExpression({
      expression: `SELECT SUM(${metricName}) FROM SCHEMA("AWS/DynamoDB", TableName, Operation) WHERE TableName = '${this.#table.tableName}'`,
      label: this.design.name,
      period,
    });
  }
}

function warm({ warmThroughput }: Pick<Environment, 'warmThroughput'>, name: TableOrIndexName) {
  const { write, read } = warmThroughput?.[name] ?? {};
  if ((write ?? read) === undefined) return {};
  return {
    warmThroughput: {
      ...(write === undefined ? {} : { writeUnitsPerSecond: write }),
      ...(read === undefined ? {} : { readUnitsPerSecond: read }),
    },
  };
}

const projectionOf = ({ projection }: IndexDesign) =>
  typeof projection === 'object'
    ? { projectionType: dynamodb.ProjectionType.INCLUDE, nonKeyAttributes: [...projection] }
    : {
        projectionType:
          projection === 'all' ? dynamodb.ProjectionType.ALL : dynamodb.ProjectionType.KEYS_ONLY,
      };

const attribute = (key: KeyAttribute): dynamodb.Attribute => ({
  name: key.name,
  type: key.type === 'S' ? dynamodb.AttributeType.STRING : dynamodb.AttributeType.NUMBER,
});
