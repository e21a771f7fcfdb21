import type { RefusedCommand } from '../../infra/admin/functions.ts';
import { ask, importLines, invokeImport, newOwner, rematch } from '../support/carrier-records.ts';
import { transaction } from '../support/import-lines.ts';
import { agency, agent, association, auto, id } from '../support/matched-carrier.ts';
import { policyOf, transactionsOf } from '../support/policies-tests.ts';
import { routes } from '../support/sale-checks-tests.ts';

const refusalOf = (refused: Promise<unknown>) =>
  refused.then(
    () => undefined,
    ({ refusal }: RefusedCommand) => refusal,
  );

describe('rematch', () => {
  it('matches what was imported before its agency, agent, and product, and counts the agencies', async () => {
    const owner = await newOwner();
    const [entity, relation, maria] = [id(), id(), id()];
    await importLines(owner, [
      transaction('A', { agencyNpn: '17', agentNpn: '81', productCode: 'GL' }),
      transaction('B', { agencyName: 'Lone Star' }),
      transaction('C', { agencyNpn: '99' }),
      transaction('D', {}),
      transaction('E', { entityMatchStatus: 'user confirmed', agencyNpn: '17', productCode: 'GL' }),
    ]);
    expect(await rematch(owner)).toEqual({ matched: 0, review: 0, unmatched: 4 });
    const before = await policyOf(owner, 'C');
    await importLines(owner, [
      agency(entity, 'Lone Star', '17', null),
      association(relation, entity),
      { type: 'agent', _id: maria, npn: '81', firstName: 'Maria', lastName: 'Delgado' },
      { type: 'compliance-config', productId: id(), productName: 'GL', productCode: 'GL', states: [] },
    ]);
    expect(await rematch(owner)).toEqual({ matched: 1, review: 1, unmatched: 2 });
    expect(await transactionsOf(owner, 'A')).toMatchObject([
      {
        ...auto(1, entity, relation),
        agentMatchStatus: 'auto matched',
        matchedAgents: [agent(maria, 'npn', 1)],
      },
    ]);
    expect(await policyOf(owner, 'A')).toMatchObject({
      entityMatchStatus: 'auto matched',
      productMatchStatus: 'auto matched',
    });
    expect(await policyOf(owner, 'B')).toMatchObject({ entityMatchStatus: 'manual review' });
    expect(await policyOf(owner, 'C')).toEqual(before);
    expect(await policyOf(owner, 'E')).toMatchObject({
      entityMatchStatus: 'user confirmed',
      productMatchStatus: 'auto matched',
    });
    expect(await rematch(owner)).toEqual({ matched: 0, review: 1, unmatched: 2 });
  });

  it('does not lose what an import amends at the same time', async () => {
    const owner = await newOwner();
    const [entity, relation] = [id(), id()];
    const lines = Array.from({ length: 40 }, (_, index) =>
      transaction('R-1', { uniqueTransactionId: `t${index}`, agencyNpn: '17' }),
    );
    await importLines(owner, lines);
    await importLines(owner, [agency(entity, 'Lone Star', '17', null), association(relation, entity)]);
    const amended = lines.map((line) => ({ ...line, premiumAmountInUSD: 7 }));
    await Promise.all([rematch(owner), importLines(owner, amended)]);
    const all = await transactionsOf(owner, 'R-1');
    expect(all).toHaveLength(40);
    for (const one of all) expect(one).toMatchObject({ ...auto(1, entity, relation), premiumAmountInUSD: 7 });
  });

  it('is refused for an agency’s organization', async () => {
    expect(await refusalOf(rematch(id()))).toMatchObject({ errorType: 'validation_error' });
  });
});

describe('confirm-match', () => {
  const [entity, relation, maria, product] = [id(), id(), id(), id()];
  const endorsement = { policyTransactionType: 'Endorsement', policyTransactionDate: '2026-06-01' };
  let owner: string;

  const confirm = (input: object, organizationId = owner) =>
    invokeImport('import', { command: 'confirm-match', input: { organizationId, ...input } });

  beforeAll(async () => {
    owner = await newOwner();
    await importLines(owner, [
      agency(entity, 'Lone Star', '17', null),
      association(relation, entity),
      { type: 'agent', _id: maria, npn: '81', firstName: 'Maria', lastName: 'Delgado' },
      { type: 'compliance-config', productId: product, productName: 'GL', states: [] },
    ]);
  });

  const importedId = async (policyNumber: string, fields: object = {}): Promise<string> => {
    await importLines(owner, [transaction(policyNumber, fields)]);
    const [only] = await transactionsOf(owner, policyNumber);
    return only?._id ?? '';
  };

  it('records what a person decided, which imports and rematch keep', async () => {
    const line = { uniqueTransactionId: 'a', agencyName: 'Lone Star' };
    const transactionId = await importedId('U-1', line);
    const confirmed = {
      entityMatchStatus: 'user confirmed',
      downstreamEntityId: entity,
      upstreamDownstreamAssociationId: relation,
      entityMatchConfidence: 1,
      agentMatchStatus: 'user confirmed',
      matchedAgents: [agent(maria, 'user', 1)],
    };
    const input = {
      transactionId,
      downstreamEntityAssociationId: relation,
      agentIds: [maria],
      productId: product,
    };
    expect(await confirm(input)).toMatchObject({ _id: transactionId, ...confirmed });
    const policy = { entityMatchStatus: 'user confirmed', productMatchStatus: 'user confirmed' };
    expect(await policyOf(owner, 'U-1')).toMatchObject(policy);
    await importLines(owner, [
      transaction('U-1', line),
      transaction('U-1', { ...line, premiumAmountInUSD: 3 }),
    ]);
    await rematch(owner);
    expect(await transactionsOf(owner, 'U-1')).toMatchObject([{ ...confirmed, premiumAmountInUSD: 3 }]);
    await importLines(owner, [transaction('U-1', endorsement)]);
    expect(await policyOf(owner, 'U-1')).toMatchObject(policy);
    // What names another product is not what the person saw.
    await importLines(owner, [transaction('U-1', { ...line, productCode: 'WC' })]);
    expect(await policyOf(owner, 'U-1')).toMatchObject({ ...policy, productMatchStatus: 'unmatched' });
    await importLines(owner, [transaction('U-1', { ...line, agencyNpn: '18', agentNpn: '82' })]);
    const [amended] = await transactionsOf(owner, 'U-1');
    expect(amended).toMatchObject({ entityMatchStatus: 'manual review', agentMatchStatus: 'unmatched' });
  });

  it('confirms the product of what the policy has its own from', async () => {
    const line = { uniqueTransactionId: 'n', productName: 'Zed' };
    const transactionId = await importedId('U-9', line);
    await importLines(owner, [transaction('U-9', { ...endorsement, productName: 'Zed' })]);
    await confirm({ transactionId, productId: product });
    const confirmed = { productMatchStatus: 'user confirmed', productName: 'Zed' };
    expect(await policyOf(owner, 'U-9')).toMatchObject(confirmed);
    await importLines(owner, [transaction('U-9', { ...endorsement, productName: 'Else' })]);
    expect(await policyOf(owner, 'U-9')).toMatchObject({ productMatchStatus: 'unmatched' });
  });

  it('keeps what the policy’s record says where an older transaction without a product is confirmed', async () => {
    const transactionId = await importedId('U-11');
    const own = {
      type: 'policy',
      policyNumber: 'U-11',
      riskStateCode: 'TX',
      productMatchStatus: 'user confirmed',
    };
    await importLines(owner, [own, transaction('U-11', { ...endorsement, productName: 'Zed' })]);
    await confirm({ transactionId, productId: product });
    expect(await policyOf(owner, 'U-11')).toMatchObject({ productMatchStatus: 'user confirmed' });
  });

  it('leaves the product of an earlier sale where that of an endorsement is confirmed', async () => {
    await importedId('U-10', { productName: 'Zed' });
    await importLines(owner, [transaction('U-10', endorsement)]);
    const transactionId = (await transactionsOf(owner, 'U-10')).at(-1)?._id;
    await confirm({ transactionId, productId: product });
    expect(await policyOf(owner, 'U-10')).toMatchObject({ productMatchStatus: 'user confirmed' });
    const { data } = await ask(owner, routes.listPolicySales);
    expect(data).toContainEqual(expect.objectContaining({ policyNumber: 'U-10', productId: null }));
  });

  it('confirms what was found if nothing else is given', async () => {
    const transactionId = await importedId('U-2', { agencyNpn: '17', agentNpn: '81' });
    expect(await confirm({ transactionId })).toMatchObject({
      entityMatchStatus: 'user confirmed',
      upstreamDownstreamAssociationId: relation,
      agentMatchStatus: 'user confirmed',
    });
  });

  it.each<[what: string, path: string, input: () => object]>([
    [
      'an unknown association',
      'downstreamEntityAssociationId',
      () => ({ downstreamEntityAssociationId: maria }),
    ],
    ['an unknown agent', 'agentIds[1]', () => ({ agentIds: [maria, relation] })],
    ['an unknown product', 'productId', () => ({ productId: maria })],
    ['nothing to confirm', 'downstreamEntityAssociationId', () => ({})],
  ])('is refused for %s', async (_what, path, input) => {
    const transactionId = await importedId(`U-${path}-${Object.keys(input()).length}`);
    expect(await refusalOf(confirm({ transactionId, ...input() }))).toMatchObject({
      errorType: 'validation_error',
      details: { issues: [{ path }] },
    });
  });

  it('is refused for an unknown transaction, and for another organization’s', async () => {
    const transactionId = await importedId('U-4', { agencyNpn: '17' });
    for (const refusal of [
      await refusalOf(confirm({ transactionId: id(), productId: product })),
      await refusalOf(confirm({ transactionId }, await newOwner())),
    ])
      expect(refusal).toMatchObject({ errorType: 'not_found' });
    expect(await transactionsOf(owner, 'U-4')).toMatchObject([{ entityMatchStatus: 'auto matched' }]);
    expect(await refusalOf(confirm({ transactionId }, id()))).toMatchObject({
      details: { issues: [{ path: 'organizationId' }] },
    });
  });

  it('decides once when two people confirm at the same time', async () => {
    const transactionId = await importedId('U-3');
    await Promise.all([
      confirm({ transactionId, downstreamEntityAssociationId: relation }),
      confirm({ transactionId, agentIds: [maria] }),
    ]);
    expect(await transactionsOf(owner, 'U-3')).toMatchObject([
      { entityMatchStatus: 'user confirmed', agentMatchStatus: 'user confirmed' },
    ]);
  });
});
