import type { IRole } from 'aws-cdk-lib/aws-iam';

/** What a function is given under one variable: its value, and the permissions that make the value useful. */
export interface Binding<Value extends string = string> {
  readonly value: Value;
  grant(role: IRole): void;
}

/** A value that needs no permission. */
export const plain = <const Value extends string>(value: Value): Binding<Value> => ({
  value,
  grant: () => {},
});
