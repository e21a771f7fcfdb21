import type { StoredAgent } from '#domain/agents/stored.ts';
import type { StoredMarket } from '#domain/associations/stored.ts';
import type { PresentConfig } from '#domain/compliance/store.ts';
import type { ComplianceConfig } from '#domain/decision/compliance-config.ts';
import type { StoredDownstreamEntity } from '#domain/downstream-entities/stored.ts';
import type { CorporateRegistration } from '#domain/licensing/requests.ts';
import { type Appointment, exampleLicense, type License } from '#domain/registry/resources.ts';
import { newId } from './filings.ts';
import { sampleAppointment } from './sample-records.ts';

/** Records of agencies as tests make them: complete, and different where a test says so. */

const at = '2026-03-01T14:05:09.123Z';

export const entityOf = (
  downstreamOrganizationId: string,
  fields: Partial<StoredDownstreamEntity> = {},
): StoredDownstreamEntity => ({
  _id: newId(),
  legalName: 'Lone Star Brokerage',
  category: 'agency',
  npn: '17654321',
  ein: null,
  isNpnRequired: true,
  downstreamOrganizationId,
  isDeleted: false,
  createdAt: at,
  updatedAt: at,
  ...fields,
});

export const producerOf = (fields: Partial<StoredAgent> = {}): StoredAgent => ({
  _id: newId(),
  npn: '8123456',
  firstName: 'Maria',
  middleName: null,
  lastName: 'Delgado',
  email: 'maria.delgado@example.com',
  labeledEmails: [],
  isDeliverable: true,
  externalId: null,
  authority: [],
  downstreamEntityAssociationIds: [],
  downstreamEntityIds: [],
  creationPath: 'import',
  isUploadedByUpstreamEntity: false,
  isArchived: false,
  isDeleted: false,
  createdAt: at,
  updatedAt: at,
  ...fields,
});

export const marketOf = (downstreamEntityId: string, fields: Partial<StoredMarket> = {}): StoredMarket => ({
  upstreamDownstreamAssociationId: newId(),
  downstreamEntityId,
  upstreamEntityName: 'Beacon Specialty',
  isOnPlatform: fields.upstreamEntityId !== undefined,
  marketType: null,
  producerCode: null,
  branchName: null,
  status: 'active',
  createdAt: at,
  updatedAt: at,
  ...fields,
});

export const licenseOf = (fields: Partial<License> = {}): License => ({
  ...exampleLicense,
  linesOfAuthority: [...exampleLicense.linesOfAuthority],
  registryDataSubscriptionId: newId(),
  updatedAt: at,
  ...(fields.nextRenewalDate === undefined ? {} : { expirationDate: fields.nextRenewalDate }),
  ...fields,
});

export const appointmentOf = (fields: Partial<Appointment> = {}): Appointment =>
  sampleAppointment({
    registryDataSubscriptionId: newId(),
    ein: null,
    npn: '17654321',
    statusChangeDate: null,
    renewalDate: null,
    updatedAt: at,
    ...fields,
  });

export const configOf = (fields: Partial<ComplianceConfig> = {}): ComplianceConfig => ({
  productId: newId(),
  productName: 'Contractors General Liability',
  states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
  validFrom: '2026-01-01',
  ...fields,
});

/** A config that never had another version. */
export const oneVersion = (config: ComplianceConfig): PresentConfig => ({
  ...config,
  versions: [{ ...config, recordedAt: at, isSilent: false }],
});

export const registrationOf = (
  downstreamEntityId: string,
  fields: Partial<CorporateRegistration> = {},
): CorporateRegistration => ({
  _id: newId(),
  downstreamEntityId,
  stateCode: 'TX',
  registrationType: 'domestic',
  registeredName: null,
  registrationNumber: '0801234567',
  status: 'active',
  registrationDate: '2011-06-02',
  nextReportDueDate: null,
  expirationDate: null,
  createdAt: at,
  updatedAt: at,
  ...fields,
});
