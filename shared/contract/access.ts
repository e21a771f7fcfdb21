/** Category of an organization. The enterprise ones reach no surface. */
export const organizationCategories = [
  'upstreamEntity',
  'downstreamEntity',
  'enterpriseUpstreamEntity',
  'enterpriseDownstreamEntity',
] as const;

export type OrganizationCategory = (typeof organizationCategories)[number];

/** Product features of an organization. `public_api` is needed by every route that takes a credential. */
export const features = [
  'public_api',
  'policies',
  'surplus_lines',
  'documents',
  'producers',
  'agencies',
  'compliance',
  'contacts',
  'webhook_settings',
  'licensing',
  'markets',
] as const;

export type Feature = (typeof features)[number];
