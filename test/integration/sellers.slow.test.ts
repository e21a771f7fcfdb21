import { ask, id } from '../support/carrier-records.ts';
import { agent } from '../support/import-lines.ts';
import { associationId, licensed, newCarrier, productId, routes } from '../support/sale-checks-tests.ts';
import { databaseCalls } from '../support/tables.ts';

it('the list of sellers reads each agent once, of more than are read at once', async () => {
  const downstreamEntityAssociationIds = [associationId];
  const npns = Array.from({ length: 100 }, (_, index) => String(2_000 + index));
  // With those of every carrier here, two more than are read at once.
  const owner = await newCarrier(
    ...npns.flatMap((npn, index) => [
      agent({ _id: id(100 + index), npn, downstreamEntityAssociationIds }),
      licensed(npn),
    ]),
  );
  const query = { productId, stateCode: 'TX', downstreamEntityAssociationId: associationId };
  const { calls } = await databaseCalls(async () => {
    const { data } = await ask(owner, routes.listSellers, { query });
    expect(data).toHaveLength(102);
  });
  const holders = 102 + 1;
  // Products, two pages of keys, agents, and homes; the association, the carrier, what it says of classes, and the agency's home.
  expect(calls.length).toBeLessThanOrEqual(holders + 3 * 4 + 4);
});
