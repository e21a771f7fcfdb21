import * as z from 'zod/mini';

const value = z.record(z.string(), z.unknown());

/** A call that executes statements. */
export const statementsCall = z.object({
  Statements: z.array(z.object({ Statement: z.string(), Parameters: z.array(value) })),
});

type Statement = z.output<typeof statementsCall>['Statements'][number];

/** The UpdateItem call that does what a statement does: DynamoDB Local does not say what a statement consumes. */
export function updateItemOf({ Statement, Parameters }: Statement): object {
  const [, TableName, changes, conditions] =
    /^UPDATE "([^"]+)" SET (.*) WHERE ("pk" = \?.*)$/.exec(Statement) ?? [];
  if (changes === undefined || conditions === undefined) {
    throw new Error(`What this statement consumes is not known: ${Statement}`);
  }
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const left = [...Parameters];
  /** As an expression of UpdateItem: names in quotation marks and parameters get placeholders. */
  const expression = (text: string): string =>
    text
      .replaceAll(/"(\w+)"/g, (_, name: string) => {
        names[`#${name}`] = name;
        return `#${name}`;
      })
      .replaceAll('?', () => {
        const placeholder = `:value${Parameters.length - left.length}`;
        values[placeholder] = left.shift();
        return placeholder;
      });
  const UpdateExpression = `SET ${changes.split(' SET ').map(expression).join(', ')}`;
  const [, , ...others] = conditions.split(' AND ');
  const Key = { pk: left.shift(), sk: left.shift() };
  return {
    TableName,
    Key,
    UpdateExpression,
    ConditionExpression: others.map(expression).join(' AND '),
    ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: values,
  };
}
