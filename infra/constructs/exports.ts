import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';

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
  const imported: unknown = Stack.of(scope).resolve(Stack.of(scope).exportValue(value));
  return z.parse(z.object({ 'Fn::ImportValue': z.string() }), imported)['Fn::ImportValue'];
}
