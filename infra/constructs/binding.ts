import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

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
