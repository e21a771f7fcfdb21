import type { IRole } from 'aws-cdk-lib/aws-iam';

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
