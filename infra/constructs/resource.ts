// What constructs have in common: values with permissions, exports of the data stack, and how data is kept.
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import type { Environment } from '../environments.ts';

/** The value of one environment variable of a function, and the permissions that the function needs to use it. */
export interface Binding<Value extends string = string> {
  readonly value: Value;
  grant(role: IRole): void;
}

/** A value that needs no permission. */
export const plain = <const Value extends string>(value: Value): Binding<Value> => ({
  value,
  grant: () => {},
});

/** A value, with the permissions of these statements. */
export const granting = (value: string, ...statements: readonly PolicyStatementProps[]): Binding => ({
  value,
  grant: (role) => {
    for (const statement of statements) role.addToPrincipalPolicy(new PolicyStatement(statement));
  },
});

/**
 * Exports values of the data stack, whether or not the service stack uses them.
 *
 * By default, the CDK exports only what another stack uses. A release that stops using a table would then remove the
 * export while the deployed service stack still imports it, which CloudFormation rejects: the release, or its rollback,
 * would fail. Because everything is always exported, the data stack does not depend on the service stack, and any release
 * of the service stack works with any data stack that has at least its tables.
 *
 * Exports are strong references. A weak reference (`Fn::GetStackOutput`) is resolved only when the service stack is
 * deployed: if a table were deleted or replaced by mistake, functions would write to a table that no longer exists. An
 * export that is in use can neither be removed nor changed.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-importvalue.html
 */
export function alwaysExported(scope: IConstruct, ...values: readonly string[]): void {
  for (const value of values) Stack.of(scope).exportValue(value);
}

/** The name under which a value of the data stack is exported, as it appears in the ids of findings about other stacks. */
export function exportNameOf(scope: IConstruct, value: string): string {
  const importValue: unknown = Stack.of(scope).resolve(Stack.of(scope).exportValue(value));
  return z.parse(z.object({ 'Fn::ImportValue': z.string() }), importValue)['Fn::ImportValue'];
}

/** Properties of every bucket: it is private and encrypted, and keeps earlier versions of its objects. */
export const privateBucket = (environment: Environment): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  enforceSSL: true,
  encryption: BucketEncryption.S3_MANAGED,
  // An object that is deleted or overwritten by mistake can be restored, like the items of a table.
  versioned: true,
  // Also when its creation is rolled back: CloudTrail and GuardDuty write to a bucket at once, and one that is not empty
  // cannot be deleted. Its generated name is in nobody's way.
  removalPolicy: environment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  // CloudFormation cannot delete a bucket that is not empty, and therefore its stack.
  autoDeleteObjects: !environment.keepsData,
});

/**
 * The removal policy of resources with data. If the environment keeps its data, they are retained when they are replaced
 * or their stack is deleted. When their creation is rolled back, they are deleted: they are empty, and their names would
 * make the next attempt fail.
 */
export const removalOf = ({ keepsData }: Environment): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
