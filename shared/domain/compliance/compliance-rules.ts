/** How compliance is decided, for the documentation of every operation that reports it. */
export const complianceRules: string | false =
  DOCUMENTED &&
  `A license that the registry reports as \`active\`, in any case, is valid through its \`nextRenewalDate\` and expired the day after, in New York. A time counts as its date there; a license without a date does not expire. If no license of the state is valid, the license status is \`Expired License\` if the date of one has passed, however the registry reports it, and \`Missing License\` otherwise. Resident and non-resident licenses count equally. The required lines of authority may be spread across several valid licenses of the state. In a state that the product does not list, only a license is required.

Only the organization’s own appointments count: those whose \`companyCode\` is one of its NAIC codes or whose \`ein\` is one of its EINs, with or without the hyphen. Operators record both. If the organization has neither, its name is compared with the \`carrierName\`, ignoring case, punctuation, and endings such as Inc, LLC, Company, and Insurance. For a product with \`carrierNaicCodes\`, only appointments with one of those codes count.

An appointment is in force if the registry reports it as \`active\` or \`appointed\`, in any case, it has no \`terminationReason\`, and its \`renewalDate\` has not passed in New York. Every required line of authority needs an appointment; one without a line covers all lines. In a state where the appointment is \`on binding\`, such appointments are reported as \`Appointed\`.`;
