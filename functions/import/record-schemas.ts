import type * as z from 'zod/mini';
import { agentRecord } from './agent/schema.ts';
import { appointmentRecord } from './appointment/schema.ts';
import { associationRecord } from './association/schema.ts';
import { carrierRecord } from './carrier/schema.ts';
import { complianceConfigRecord } from './compliance-config/schema.ts';
import { contactRecord } from './contact/schema.ts';
import { contractContainerTemplateRecord } from './contract-container-template/schema.ts';
import { corporateRegistrationRecord } from './corporate-registration/schema.ts';
import { downstreamEntityRecord } from './downstream-entity/schema.ts';
import { filingRecord } from './filing/schema.ts';
import { licenseRecord } from './license/schema.ts';
import { marketRecord } from './market/schema.ts';
import { policyRecord, policyTransactionRecord } from './policy/schema.ts';
import { regulatoryActionRecord } from './regulatory-action/schema.ts';

/** The schema of a line of each type, for `npm run admin -- import --describe`; the import itself has them in its types. */
export const recordSchemas = {
  carrier: carrierRecord,
  'downstream-entity': downstreamEntityRecord,
  association: associationRecord,
  'contract-container-template': contractContainerTemplateRecord,
  agent: agentRecord,
  license: licenseRecord,
  appointment: appointmentRecord,
  'regulatory-action': regulatoryActionRecord,
  'compliance-config': complianceConfigRecord,
  policy: policyRecord,
  'policy-transaction': policyTransactionRecord,
  filing: filingRecord,
  market: marketRecord,
  'corporate-registration': corporateRegistrationRecord,
  contact: contactRecord,
} satisfies Readonly<Record<string, z.core.$ZodType>>;

/** The `type` of a line. */
export type RecordType = keyof typeof recordSchemas;
