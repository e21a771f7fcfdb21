/** Category of an organization. The enterprise ones have access to nothing. */
export const organizationCategories = [
  'upstreamEntity',
  'downstreamEntity',
  'enterpriseUpstreamEntity',
  'enterpriseDownstreamEntity',
] as const;

export type OrganizationCategory = (typeof organizationCategories)[number];

/** Product features of an organization. Every route that requires a credential requires `public_api`. */
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
  'sandbox',
] as const;

export type Feature = (typeof features)[number];
