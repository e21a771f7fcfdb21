import { carrier, get, path, rowsOf, v1 } from '../support/association-calls.ts';
import { newId } from '../support/filings.ts';
import { transaction } from '../support/import-lines.ts';
import { errorShape, importRecords } from '../support/local-api.ts';

describe('compliance of an association', () => {
  it('compares an agency’s records with products and policies', async () => {
    const owner = await carrier();
    const [id, productId] = [newId(), newId()];
    const npn = String(10_000_000 + Math.floor(Math.random() * 80_000_000));
    await importRecords(
      owner.organizationId,
      { type: 'association', _id: id, downstreamEntity: { legalName: 'Agency', npn } },
      {
        type: 'compliance-config',
        productId,
        productName: 'General Liability',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      },
      {
        type: 'license',
        npn,
        stateCode: 'TX',
        licenseNumber: '1',
        licenseClassCode: null,
        licenseClassName: 'Insurance Agency',
        status: 'active',
        residencyStatus: 'resident',
        issueDate: null,
        nextRenewalDate: '2999-01-01',
        expirationDate: null,
        linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
      },
      transaction('A', { agencyNpn: npn, productName: 'GENERAL liability' }),
      transaction('B', { agencyNpn: npn, productName: 'Unknown' }),
      transaction('C', { upstreamDownstreamAssociationId: id }),
      transaction('D', { agencyNpn: npn, upstreamDownstreamAssociationId: newId() }),
      transaction('E', { agencyNpn: npn, riskStateCode: 'OK' }),
    );
    const query = `stateCode=TX&productId=${productId}`;
    expect(rowsOf(await get(owner, `${path}/${id}/license-compliance-statuses?${query}`))).toEqual([
      {
        npn,
        productId,
        productName: 'General Liability',
        stateCode: 'TX',
        complianceStatus: 'NOT_COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Not Appointed', statusMessages: [expect.any(String)] },
        basis: 'current',
        configBasis: 'version',
      },
    ]);
    const unknown = await get(
      owner,
      `${v1}/${id}/license-compliance-statuses?stateCode=TX&productId=${newId()}`,
    );
    const issues = [{ path: 'productId', message: 'does not exist or is not yours' }];
    expect(unknown.json).toEqual(errorShape(404, 'not_found', { details: { issues } }));
    const rows = rowsOf(await get(owner, `${v1}/${id}/policy-compliance-statuses`));
    expect(
      rows.map(({ policyNumber, productId: product, complianceStatus }) => [
        policyNumber,
        product,
        complianceStatus,
      ]),
    ).toEqual([
      ['A', productId, 'NOT_COMPLIANT'],
      ['B', null, 'NOT_COMPLIANT'],
      ['C', null, 'NOT_COMPLIANT'],
      ['E', null, 'NOT_COMPLIANT'],
    ]);
  });

  it.each(['', '?stateCode=TX', `?productId=${newId()}`])(
    'requires both stateCode and productId: %s',
    async (query) => {
      const owner = await carrier();
      const { status } = await get(owner, `${path}/${newId()}/license-compliance-statuses${query}`);
      expect(status).toBe(400);
    },
  );
});
