import { tablePlan } from '../../../infra/local/engines/tables.ts';
import { region } from '../../../infra/local/template/physical-resources.ts';

const properties = {
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
};
const here = { Region: region, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };

it('accepts a table without replicas in other regions', () => {
  expect(tablePlan('outbox', { ...properties, Replicas: [here] }).create.TableName).toBe('outbox');
});

it.each([
  ['a replica in another region', [here, { Region: 'eu-west-1' }]],
  ['provisioned capacity of a replica', [{ ...here, ReadProvisionedThroughputSettings: {} }]],
])('refuses %s, which DynamoDB Local does not have', (_, Replicas) => {
  expect(() => tablePlan('outbox', { ...properties, Replicas })).toThrow();
});
