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
  status: 'active',
  licenseClassName: 'Insurance Producer',
  residencyStatus: 'resident',
  npn: '8123456',
  stateCode: 'TX',
  licenseNumber: '100',
  ...fields,
});

/** A line that imports an appointment. */
export const appointment = (fields: object = {}) => ({
  type: 'appointment',
  status: 'active',
  npn: '8123456',
  stateCode: 'TX',
  carrierName: 'Beacon Specialty',
  ...fields,
});

/** A line that imports what a product requires: by itself, nothing. */
export const product = <Id, Fields extends object>(productId: Id, fields: Fields) => ({
  type: 'compliance-config',
  productId,
  productName: 'GL',
  states: [],
  ...fields,
});

/** A line that imports a contact with these scopes. */
export const contact = (email: string, associations: readonly object[], fields: object = {}) => ({
  type: 'contact',
  firstName: 'Maria',
  lastName: 'Delgado',
  email,
  associations,
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

/** A line that imports an association with an agency of its own line. */
export const associationWith = <Id>(_id: Id, downstreamEntityId: unknown, fields: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntityId,
  ...fields,
});

/** A line that imports an association with an agency that the line itself describes. */
export const associationOf = <Id>(_id: Id, downstreamEntity: object, fields: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntity,
  ...fields,
});

/** A line that imports an agency, and says its name alone. */
export const namedAgency = <Fields extends object>(_id: string, legalName: string, fields?: Fields) => ({
  type: 'downstream-entity',
  _id,
  legalName,
  ...fields,
});

/** A line that imports an agency. */
export const agency = (_id: string, fields: object = {}) => ({
  type: 'downstream-entity',
  _id,
  legalName: 'Lone Star Brokerage',
  npn: null,
  isNpnRequired: false,
  ...fields,
});

/** A line that imports a policy. */
export const policy = (_id: string, fields: object = {}) => ({
  type: 'policy',
  _id,
  policyNumber: `P-${_id}`,
  riskStateCode: 'TX',
  ...fields,
});

/** A line that imports a filing. */
export const filing = (_id: string, fields: object = {}) => ({
  type: 'filing',
  _id,
  policyNumber: 'SL-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Beacon Specialty',
  carrierNaicCode: '12345',
  grossPremium: 10_000,
  checklist: [],
  ...fields,
});
