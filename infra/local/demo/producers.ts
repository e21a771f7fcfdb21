import { addDays, newYorkDate } from '../../../shared/dates/calendar.ts';

/** Producers of the demo, with the registry records of them and of their agencies. */

/** The agencies of the demo's policies, each with its home state. */
const agencies = [
  { npn: '17654321', home: 'TX' },
  { npn: '18233410', home: 'NY' },
  { npn: '16550982', home: 'CA' },
  { npn: '19001763', home: 'FL' },
] as const;

const renewals = { label: 'renewals', email: 'renewals@example.com' } as const;

/** Id, NPN, first and last name, external id, home state, and optional members. */
const rows = [
  ['65f0c1d2e3a4b5c6d7e8fa01', '8123456', 'Maria', 'Delgado', 'AGT-118', 'TX', { labeledEmails: [renewals] }],
  ['65f0c1d2e3a4b5c6d7e8fa02', '9034417', 'Daniel', 'Okafor', 'AGT-131', 'NY', { middleName: 'E.' }],
  ['65f0c1d2e3a4b5c6d7e8fa03', '7745120', 'Grace', 'Lindholm', 'AGT-140', 'CA', {}],
  ['65f0c1d2e3a4b5c6d7e8fa04', '8812094', 'Andre', 'Baptiste', 'AGT-152', 'FL', {}],
] as const;

const producers = rows.map(([_id, npn, firstName, lastName, externalId, home, more]) => {
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  return { _id, npn, firstName, lastName, email, externalId, home, ...more };
});

/** The products of the demo's policies, with the lines of authority that they require. */
const products = [
  ['65f0c1d2e3a4b5c6d7e8f905', 'Contractors General Liability', ['16']],
  ['65f0c1d2e3a4b5c6d7e8f906', 'Coastal Property', ['17']],
  ['65f0c1d2e3a4b5c6d7e8f907', 'Miscellaneous Professional', ['16']],
  ['65f0c1d2e3a4b5c6d7e8f908', 'Cyber Secure', ['16']],
] as const;

const linesOfAuthority = [
  { code: '16', name: 'Casualty' },
  { code: '17', name: 'Property' },
];

/** States in which licenses are held, at home and away, and the days until each one expires. */
const held = [
  { away: undefined, daysLeft: 240, residencyStatus: 'resident', status: 'active' },
  { away: 'OK', daysLeft: 35, residencyStatus: 'non-resident', status: 'active' },
  { away: 'LA', daysLeft: -12, residencyStatus: 'non-resident', status: 'active' },
  { away: 'NM', daysLeft: 400, residencyStatus: 'non-resident', status: 'inactive' },
] as const;

const licenses = (npn: string, home: string, className: string, now: Date) => {
  const today = newYorkDate(now);
  return held.map(({ away, daysLeft, residencyStatus, status }, index) => {
    const lastDay = addDays(today, daysLeft);
    return {
      type: 'license',
      npn,
      stateCode: away ?? home,
      licenseNumber: `${npn.slice(-5)}${index + 1}`,
      licenseClassCode: '1',
      licenseClassName: className,
      status,
      residencyStatus,
      issueDate: addDays(lastDay, -1_461),
      nextRenewalDate: lastDay,
      expirationDate: lastDay,
      linesOfAuthority,
    };
  });
};

const appointments = (npn: string, home: string, now: Date) =>
  [home, 'OK'].map((stateCode, index) => ({
    type: 'appointment',
    npn,
    stateCode,
    carrierName: 'Beacon Specialty Insurance Company',
    companyCode: '19437',
    lineOfAuthorityName: 'Casualty',
    lineOfAuthorityCode: '16',
    status: index === 0 ? 'active' : 'terminated',
    ...(index === 0 ? {} : { terminationReason: 'Not renewed' }),
    statusChangeDate: addDays(newYorkDate(now), -300),
    renewalDate: addDays(newYorkDate(now), 65),
  }));

const action = (npn: string, stateCode: string, now: Date) => {
  const date = addDays(newYorkDate(now), -500);
  return {
    type: 'regulatory-action',
    npn,
    stateCode,
    actionId: `${stateCode}-${npn.slice(-4)}`,
    originOfAction: 'Department of Insurance',
    reasonForAction: 'Late filing',
    disposition: 'Monetary penalty',
    dateOfAction: date,
    effectiveDate: date,
    enterDate: addDays(date, 7),
    fileRef: `${stateCode}-${npn}`,
    penaltyFineForfeitureInUSD: 500,
  };
};

const registryRecords = (parties: readonly { readonly npn: string; readonly home: string }[], now: Date) =>
  parties.flatMap(({ npn, home }) => {
    const className = agencies.some((agency) => agency.npn === npn)
      ? 'Property and Casualty Agency'
      : 'Property and Casualty Producer';
    return [...licenses(npn, home, className, now), ...appointments(npn, home, now)];
  });

/**
 * Records of the carrier: its producers, their registry records and those of their agencies, and the requirements of its
 * products. The producer from Texas belongs to the carrier's association with the demo agency.
 */
export const carrierProducerRecords = (downstreamEntityAssociationId: string, now: Date): object[] => [
  ...products.map(([productId, productName, required]) => ({
    type: 'compliance-config',
    productId,
    productName,
    states: [
      { stateCode: 'TX', linesOfAuthority: required, appointment: 'required' },
      { stateCode: 'NY', linesOfAuthority: required, appointment: 'required' },
      { stateCode: 'CA', linesOfAuthority: required, appointment: 'not required' },
      { stateCode: 'OK', linesOfAuthority: required, appointment: 'on binding' },
      { stateCode: 'LA', linesOfAuthority: required, appointment: 'required' },
    ],
  })),
  ...producers.map(({ home, ...producer }) => ({
    type: 'agent',
    ...producer,
    isDeliverable: true,
    downstreamEntityAssociationIds: home === 'TX' ? [downstreamEntityAssociationId] : [],
    authority: products.slice(0, 2).map(([upstreamEntityProductId]) => ({
      upstreamEntityProductId,
      requestedStates: [home, 'OK'],
      approvedStates: [home],
    })),
  })),
  ...registryRecords([...agencies, ...producers], now),
  action('8123456', 'TX', now),
  action('17654321', 'TX', now),
];

/** Records of the agency: its own producers, and the registry records of both. */
export const agencyProducerRecords = (downstreamEntityId: string, now: Date): object[] => {
  const own = producers.filter(({ npn }) => npn === '8123456' || npn === '9034417');
  return [
    ...own.map(({ home: _, externalId: __, ...producer }) => ({
      type: 'agent',
      ...producer,
      downstreamEntityIds: [downstreamEntityId],
    })),
    ...registryRecords([...agencies.filter(({ npn }) => npn === '17654321'), ...own], now),
  ];
};
