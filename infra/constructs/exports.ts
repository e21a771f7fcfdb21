import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Exports values of the data stack, whether the service stack uses them or not.
 *
 * CDK exports by itself what another stack happens to use. A release that stops using a table would then take away the
 * export, while the service stack as it is deployed still imports it, and CloudFormation refuses that: the release, or
 * going back from it, fails. With all of them always exported the template of the data stack says nothing of the service
 * stack, so any release of the service stack goes with any data stack that has at least its tables.
 *
 * They stay strong references. A weak one (`Fn::GetStackOutput`) is resolved when the service stack is deployed and not
 * watched afterwards, so that a table that was deleted or replaced by mistake would leave functions that write to what is
 * no longer there; an export in use can neither be removed nor get another value.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-importvalue.html
 */
export function alwaysExported(scope: IConstruct, ...values: readonly string[]): void {
  for (const value of values) Stack.of(scope).exportValue(value);
}
