import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { add, context, imported } from '../support/associations-tests.ts';

it.each([
  ['75-1234567', '751234567', 201],
  ['751234567', '75-1234567', 201],
  ['75-1234567', '75-1234568', 400],
])('an agency with the EIN %s is that with %s: %i', async (stored, ein, expected) => {
  const owner = await context.carrier();
  const downstreamEntityId = newObjectId(new Date());
  const agency = { type: 'downstream-entity', _id: downstreamEntityId, legalName: 'Lone Star Brokerage' };
  await imported(undefined, { ...agency, ein: stored });
  const { status, data } = await add(owner, { downstreamEntityId, ein });
  expect(status).toBe(expected);
  if (status === 201) expect(data).toMatchObject({ downstreamEntity: { _id: downstreamEntityId } });
});

it('two requests for one agency by its EIN are the same in either spelling', async () => {
  const owner = await context.carrier();
  const first = await add(owner, { ein: '86-7654321' });
  expect(first.status).toBe(201);
  const second = await add(owner, { ein: '867654321' });
  expect(second).toMatchObject({ status: 409, errorType: 'transient_transaction_error' });
});
