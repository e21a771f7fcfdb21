// Lines of an operator's file, with the fields that an import requires.

/** A line that imports a producer. */
export const agent = (fields: object = {}) => ({
  type: 'agent',
  npn: '8123456',
  firstName: 'Maria',
  lastName: 'Delgado',
  ...fields,
});

/** A line that imports a license. */
export const license = (fields: object = {}) => ({
  type: 'license',
  npn: '8123456',
  stateCode: 'TX',
  licenseNumber: '100',
  ...fields,
});

/** A line that imports a transaction of a policy. */
export const transaction = (policyNumber: string, fields: object = {}) => ({
  type: 'policy-transaction',
  policyNumber,
  policyTransactionType: 'New',
  policyTransactionDate: '2026-01-01',
  riskStateCode: 'TX',
  ...fields,
});

/** A line that imports an association, a branch of one agency. */
export const association = (_id: string, fields: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntity: { _id: 'a'.repeat(24), legalName: 'Lone Star Brokerage' },
  branchName: _id,
  ...fields,
});
