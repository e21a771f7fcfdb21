import { addDays, newYorkDate } from '../../../shared/dates/calendar.ts';

/** Agencies and producers of the demo, with their registry records and the requirements of the carrier's products. */

/** The agencies of the demo's policies, each with a producer in its home state. The first one is the demo agency. */
export const agencies = (
  [
    ['Lone Star Brokerage', '17654321', 'TX', '8123456', 'Maria', 'Delgado'],
    ['Hudson Valley Risk Partners', '18233410', 'NY', '9034417', 'Daniel', 'Okafor'],
    ['Pacific Crest Insurance Services', '16550982', 'CA', '7745120', 'Grace', 'Lindholm'],
    ['Gulf Shore Underwriters', '19001763', 'FL', '8812094', 'Andre', 'Baptiste'],
  ] as const
).map(([legalName, npn, home, producerNpn, firstName, lastName], index) => {
  const producer = {
    type: 'agent',
    _id: `65f0c1d2e3a4b5c6d7e8fa0${index + 1}`,
    npn: producerNpn,
    firstName,
    lastName,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    labeledEmails: [{ label: 'renewals', email: 'renewals@example.com' }],
  };
  return { legalName, npn, home, producer };
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

const licenses = (npn: string, home: string, className: string, today: string) =>
  held.map(({ away, daysLeft, residencyStatus, status }, index) => {
    const lastDay = addDays(today, daysLeft);
    return {
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

const appointments = (home: string, today: string) =>
  [home, 'OK'].map((stateCode, index) => ({
    stateCode,
    carrierName: 'Beacon Specialty Insurance Company',
    companyCode: '19437',
    lineOfAuthorityName: 'Casualty',
    lineOfAuthorityCode: '16',
    status: index === 0 ? 'active' : 'terminated',
    ...(index === 0 ? {} : { terminationReason: 'Not renewed' }),
    statusChangeDate: addDays(today, -300),
    renewalDate: addDays(today, 65),
  }));

const regulatoryAction = (npn: string, stateCode: string, today: string) => {
  const date = addDays(today, -500);
  return {
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

/**
 * The simulated registry's records of all agencies and producers; those from Texas have a regulatory action. They match
 * what the carrier imports, so that a synchronization finds no differences until an operator changes them.
 */
export function registryRecords(now: Date) {
  const today = newYorkDate(now);
  const parties = agencies.flatMap(({ legalName, npn, home, producer }) => [
    { npn, home, kind: 'firm', name: legalName, className: 'Property and Casualty Agency' },
    {
      npn: producer.npn,
      home,
      kind: 'individual',
      name: `${producer.firstName} ${producer.lastName}`,
      className: 'Property and Casualty Producer',
    },
  ]);
  return parties.map(({ npn, home, kind, name, className }) => ({
    npn,
    record: {
      entity: { kind, name },
      licenses: licenses(npn, home, className, today),
      appointments: appointments(home, today),
      regulatoryActions: home === 'TX' ? [regulatoryAction(npn, home, today)] : [],
    },
  }));
}

/** The licenses, appointments and regulatory actions of some parties as an organization imports them. */
const imported = (parties: ReturnType<typeof registryRecords>): object[] =>
  parties.flatMap(({ npn, record }) => [
    ...record.licenses.map((one) => ({ type: 'license', npn, ...one })),
    ...record.appointments.map((one) => ({ type: 'appointment', npn, ...one })),
    ...record.regulatoryActions.map((one) => ({ type: 'regulatory-action', npn, ...one })),
  ]);

/**
 * Records of the carrier: its producers, all registry records, and the requirements of its products. The producer from
 * Texas belongs to the carrier's association with the demo agency.
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
  ...agencies.map(({ home, producer }, index) => ({
    ...producer,
    externalId: `AGT-${118 + index}`,
    isDeliverable: true,
    downstreamEntityAssociationIds: home === 'TX' ? [downstreamEntityAssociationId] : [],
    authority: products.slice(0, 2).map(([upstreamEntityProductId]) => {
      return { upstreamEntityProductId, requestedStates: [home, 'OK'], approvedStates: [home] };
    }),
  })),
  ...imported(registryRecords(now)),
];

/** Records of the agency: its producer, and the registry records of both. */
export const agencyProducerRecords = (downstreamEntityId: string, now: Date): object[] => [
  ...agencies.slice(0, 1).map(({ producer }) => ({ ...producer, downstreamEntityIds: [downstreamEntityId] })),
  ...imported(registryRecords(now).slice(0, 2)),
];
