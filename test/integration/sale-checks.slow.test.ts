import { mostChecks } from '../../functions/sale-checks/routes.ts';
import { ask, id, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { newId } from '../support/filings.ts';
import { agent, license } from '../support/import-lines.ts';
import { answersOf, config, newCarrier, question, routes } from '../support/sale-checks-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

it('answers of more than 4 MB are 413, and then no receipt is stored', async () => {
  const linesOfAuthority = Array.from({ length: 10 }, (_, index) => ({
    anyOf: Array.from({ length: 10 }, (_, other) => `${index}${other}`.padEnd(50, '線')),
  }));
  const owner = await newCarrier(
    config({ states: [{ stateCode: 'TX', linesOfAuthority, appointment: 'required' }] }),
  );
  const checks = Array.from({ length: 100 }, () => question());
  for (const receipt of [false, true]) {
    const refused = await ask(owner, routes.checkSales, { body: { checks, receipt } });
    expect(refused).toMatchObject({ status: 413, details: { instead: expect.any(String) } });
  }
  expect(
    (await everyItem(dynamo, tables.saleReceipts)).filter(({ pk }) => String(pk).startsWith(owner)),
  ).toEqual([]);
  expect((await answersOf(owner, checks.slice(0, 20))).checks).toHaveLength(20);
});

it('reads are once for each seller and agency, of more than are read at once', async () => {
  const npns = Array.from({ length: 25 }, (_, index) => String(300 + index));
  const agencies = Array.from({ length: 5 }, newId);
  const owner = await newCarrier(
    ...agencies.map((_id, index) => ({
      type: 'association',
      _id,
      producerCode: `P-${index}`,
      downstreamEntity: { legalName: `Agency ${index}`, npn: String(900 + index) },
    })),
    ...npns.flatMap((npn, index) => [
      agent({ _id: id(2_000 + index), npn, downstreamEntityAssociationIds: [agencies[index % 5]] }),
      license({ npn }),
    ]),
  );
  const checks = Array.from({ length: mostChecks }, (_, index) =>
    question({ seller: { npn: npns[index % 25] }, agency: { producerCode: `P-${index % 5}` } }),
  );
  const { calls, inSequence } = await databaseCalls(() => answersOf(owner, checks));
  // The write that counts the request is one more.
  expect(calls.length - 1).toBeLessThanOrEqual(4 + 2 * 30);
  // The rate counter, what the checks name, associations, facts: 16 queries at the same time.
  expect(inSequence).toBeLessThan(8);
});
