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
