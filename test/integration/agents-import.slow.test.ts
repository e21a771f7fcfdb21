import { list } from '../support/agents-tests.ts';
import { id, importLines, newOwner } from '../support/carrier-records.ts';
import { agent, association } from '../support/import-lines.ts';

it('an import of agents rejects more addresses, associations, and entities than one transaction can change', async () => {
  const owner = await newOwner();
  const associations = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => id(from + index));
  await importLines(
    owner,
    [...associations(1_000, 43), ...associations(1_100, 42)].map((one) => association(one)),
  );
  const full = agent({ downstreamEntityAssociationIds: associations(1_000, 42) });
  expect(await importLines(owner, [full])).toMatchObject({ imported: 1 });
  const exchanged = agent({ npn: '8123456', downstreamEntityAssociationIds: associations(1_100, 42) });
  expect(await importLines(owner, [exchanged])).toMatchObject({ imported: 1 });
  expect(await list(owner, { downstreamEntityAssociationId: id(1_041) })).toEqual([]);
  expect(await list(owner, { downstreamEntityAssociationId: id(1_141) })).toHaveLength(1);
  expect(
    await importLines(owner, [agent({ npn: '3', downstreamEntityAssociationIds: associations(1_000, 43) })]),
  ).toMatchObject({ rejected: [{ line: 1, issues: [{ path: '' }] }] });
});
