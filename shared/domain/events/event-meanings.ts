import type { webhookTypes } from '../webhooks/resource.ts';

/** When each type of event is sent. */
export const eventMeanings = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: 'The registry records of an NPN were synchronized.',
  AGENT_COMPLIANCE_STATUS_CHANGE: 'A producer’s compliance changed for some products and states.',
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: 'An agency’s compliance changed for some products and states.',
  PRODUCER_AGREEMENT_EXECUTED: 'Both parties signed the producer agreement.',
  AGENT_REGULATORY_ACTION_UPDATED: 'A state amended a reported action against a producer.',
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: 'A state amended a reported action against an agency.',
  AGENT_LICENSE_EXPIRING: 'A producer’s license is due for renewal in 60 days.',
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: 'An agency’s license is due for renewal in 60 days.',
  AGENT_LICENSE_EXPIRED: 'The renewal date of a producer’s license has passed.',
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: 'The renewal date of an agency’s license has passed.',
  AGENT_CREATED: 'A producer was added.',
  AGENT_UPDATED: 'A producer’s record changed.',
  DOWNSTREAM_ENTITY_CREATED: 'An association with an agency was added.',
  DOWNSTREAM_ENTITY_UPDATED: 'An association with an agency changed.',
  AGENT_REGULATORY_ACTION_ADDED: 'A state reported an action against a producer.',
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: 'A state reported an action against an agency.',
  DOCUMENT_UPLOADED: 'A file was uploaded: a new document, or a new version of one.',
  CONTRACT_SIGNED: 'The last party signed a contract.',
} as const satisfies Record<(typeof webhookTypes)[number], string>;
