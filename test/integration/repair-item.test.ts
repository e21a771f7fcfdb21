import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { importLines, newOwner, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { importFunctionOf } from '../support/imports.ts';
import { firstId, list, secondId, store } from '../support/policies-tests.ts';
import { dynamo } from '../support/tables.ts';

const leaving = '+010000-01-01T04:59:59.000Z';
const policy = (policyNumber: string, more: object = {}) => ({
  type: 'policy',
  _id: firstId,
  policyNumber,
  riskStateCode: 'TX',
  currentStatus: 'active',
  ...more,
});

const storedItem = async (owner: string, id: string) => {
  const items = await everyItem(dynamo, tables.policies);
  const found = items.find(({ pk, sk }) => pk === `${owner}#POLICY` && sk === id);
  if (found === undefined) throw new Error('There is no such policy.');
  return found;
};

/** Gives members of a policy that is stored other values, as nothing of the service does. */
const spoil = async (owner: string, id: string, members: object): Promise<void> => {
  const Item = toItem({ ...(await storedItem(owner, id)), ...members });
  await dynamo.send(new PutItemCommand({ TableName: tables.policies, Item }));
};

/** Two policies, of which the first can't be read at these members. */
async function ownerOfSpoiled(members: object): Promise<string> {
  const owner = await newOwner();
  await importLines(owner, [policy('P-1'), policy('P-2', { _id: secondId })]);
  await spoil(owner, firstId, members);
  await expect(list(owner)).rejects.toThrow(
    `The policies/policy ${owner}#POLICY ${firstId} does not match its schema at`,
  );
  return owner;
}

describe('an import of a policy whose times cannot be read', () => {
  it.each([
    ['with the same line', policy('P-1')],
    ['with another time', policy('P-1', { updatedAt: '2026-05-01T00:00:00Z' })],
    ['as deleted', policy('P-1', { isDeleted: true })],
  ])('overwrites it %s', async (_, line) => {
    const owner = await ownerOfSpoiled({ updatedAt: leaving, createdAt: leaving });
    expect(await importLines(owner, [policy('P-2', { _id: secondId }), line])).toMatchObject({
      imported: 2,
      rejected: [],
    });
    const policies = await list(owner);
    expect(policies.map(({ _id }) => _id)).toEqual('isDeleted' in line ? [secondId] : [firstId, secondId]);
    expect(JSON.stringify(await storedItem(owner, firstId))).not.toContain(leaving);
    // Whoever follows the list gets what is repaired.
    const changed: unknown[] = [];
    for await (const page of store().changedSince(owner, '2026-07-01T00:00:00.000Z')) changed.push(...page);
    expect(changed).toContainEqual(expect.objectContaining({ _id: firstId }));
  });
});

describe('a policy of which something else cannot be read', () => {
  const repair = (owner: string, values: object, more: object = {}) =>
    importFunctionOf(tables)({
      command: 'repair-item',
      input: { table: 'policies', pk: `${owner}#POLICY`, sk: firstId, members: values, ...more },
    });

  it('is named where its line is rejected; the others are imported', async () => {
    const owner = await ownerOfSpoiled({ riskStateCode: 'ZZ' });
    expect(await importLines(owner, [policy('P-1'), policy('P-2', { _id: secondId })])).toMatchObject({
      imported: 1,
      rejected: [
        {
          line: 1,
          issues: [
            {
              path: '',
              message: expect.stringContaining(
                `${owner}#POLICY ${firstId} does not match its schema at riskStateCode`,
              ),
            },
          ],
        },
      ],
    });
  });

  it('is repaired by an operator, and by the next import written anew, also with the same line', async () => {
    const owner = await ownerOfSpoiled({ riskStateCode: 'ZZ', updatedAt: leaving });
    const values = { riskStateCode: 'CA', updatedAt: '2026-05-01T00:00:00.000Z' };
    expect(await repair(owner, values)).toMatchObject({
      ok: true,
      result: { repaired: Object.keys(values) },
    });
    expect(await list(owner)).toMatchObject([{ _id: firstId, ...values }, { _id: secondId }]);
    await importLines(owner, [policy('P-1')]);
    expect(await list(owner)).toMatchObject([{ _id: firstId, riskStateCode: 'TX' }, {}]);
  });

  it.each([
    ['a member that can be read', { riskStateCode: 'TX', policyNumber: 'P-9' }, {}],
    ['some of the members alone', {}, {}],
    ['what does not match either', { riskStateCode: 'YY' }, {}],
    ['another table', { riskStateCode: 'TX' }, { table: 'organizations' }],
    ['an item that is not there', { riskStateCode: 'TX' }, { sk: secondId.replace(/.$/, '0') }],
  ])('is not changed by a repair of %s', async (_, values, more) => {
    const owner = await ownerOfSpoiled({ riskStateCode: 'ZZ' });
    const before = await storedItem(owner, firstId);
    expect(await repair(owner, values, more)).toMatchObject({ ok: false });
    expect(await storedItem(owner, firstId)).toEqual(before);
  });

  it('that can be read is not changed', async () => {
    const owner = await newOwner();
    await importLines(owner, [policy('P-1')]);
    expect(await repair(owner, { riskStateCode: 'CA' })).toMatchObject({ ok: false });
    expect(await list(owner)).toMatchObject([{ riskStateCode: 'TX' }]);
  });
});
