import { newId } from '../support/filings.ts';
import { agency, carrier, foreign, list, main, market, registration } from '../support/imported-agency.ts';
import { admin, importRecords } from '../support/local-api.ts';

describe('imports of markets and corporate registrations', () => {
  const importedBy = (organizationId: string, ...records: object[]) =>
    admin('import', {
      organizationId,
      firstLine: 1,
      lines: records.map((one) => JSON.stringify(one)),
    });

  it('change nothing when repeated', async () => {
    const before = [await list('markets'), await list('corporate-registrations')];
    await importRecords(agency.organizationId, market, registration);
    expect([await list('markets'), await list('corporate-registrations')]).toEqual(before);
  });

  it('accept only an agency’s records for its own entities', async () => {
    const issues = (path: string) => [expect.objectContaining({ path })];
    expect(
      await importedBy(
        agency.organizationId,
        { ...market, downstreamEntityId: foreign },
        { ...registration, downstreamEntityId: foreign },
      ),
    ).toMatchObject({
      imported: 0,
      rejected: [
        { line: 1, issues: issues('downstreamEntityId') },
        { line: 2, issues: issues('downstreamEntityId') },
      ],
    });
    expect(await importedBy(carrier.organizationId, market)).toMatchObject({
      imported: 0,
      rejected: [{ line: 1, issues: issues('organizationId') }],
    });
  });

  it('do not replace a carrier’s association', async () => {
    const _id = newId();
    await importRecords(carrier.organizationId, { type: 'association', _id, downstreamEntityId: main });
    const markets = async () => (await list(`markets?downstreamEntityId=${main}`)).items;
    expect(await markets()).toHaveLength(2);
    expect(await importedBy(agency.organizationId, { ...market, _id })).toMatchObject({
      imported: 0,
      rejected: [{ line: 1, issues: [{ path: '_id' }] }],
    });
    expect(await markets()).toContainEqual(
      expect.objectContaining({ upstreamDownstreamAssociationId: _id, isOnPlatform: true }),
    );
  });

  it('can delete records, which leave the lists', async () => {
    await importRecords(
      agency.organizationId,
      { ...market, isDeleted: true },
      { ...registration, isDeleted: true },
    );
    const { items } = await list(`markets?downstreamEntityId=${main}`);
    expect(items.map(({ isOnPlatform }) => isOnPlatform)).toEqual([true]);
    expect((await list('corporate-registrations')).total).toBe(0);
  });
});
