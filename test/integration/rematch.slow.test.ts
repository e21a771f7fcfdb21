import { rematch } from '../../infra/admin/complete-import.ts';
import { type Invoke, resultOf } from '../../infra/admin/functions.ts';
import { importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { transaction } from '../support/import-lines.ts';
import { importFunctionOf } from '../support/imports.ts';
import { agency, association, id } from '../support/matched-carrier.ts';
import { store } from '../support/policies-tests.ts';

describe('rematch', () => {
  it('takes several calls for many transactions, and looks at each once', async () => {
    const owner = await newOwner();
    const [entity, relation] = [id(), id()];
    const lines = Array.from({ length: 300 }, (_, index) =>
      transaction(`M-${index % 75}`, { uniqueTransactionId: `t${index}`, agencyNpn: '17' }),
    );
    await importLines(owner, lines);
    await importLines(owner, [agency(entity, 'Lone Star', '17', null), association(relation, entity)]);
    let calls = 0;
    const counting: Invoke = async (_name, payload) => {
      calls += 1;
      return resultOf(JSON.parse(JSON.stringify(await importFunctionOf(tables, now)(payload))));
    };
    expect(await rematch(counting, { organizationId: owner })).toEqual({
      matched: 300,
      review: 0,
      unmatched: 0,
      withoutTransactions: 0,
    });
    expect(calls).toBeGreaterThan(1);
    for await (const page of store().list(owner, { entityMatchStatus: 'unmatched' }))
      expect(page).toEqual([]);
  });
});
