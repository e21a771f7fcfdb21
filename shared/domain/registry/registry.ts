import * as z from 'zod/mini';
import { object, without } from '../../platform/contract/object.ts';
import { stateCode } from '../../platform/contract/primitives.ts';
import { actionIdentity, amendableFields, appointment, license, lineOfAuthority } from './resources.ts';

/** What a report may not state of a line is null where it is absent. */
export const registryLine = object(() => {
  const { issueDate, statusDate, statusReason, ceCompliance, ceCreditsNeeded, ceRenewalDate, ...line } =
    lineOfAuthority.shape;
  return {
    ...line,
    issueDate: z._default(issueDate, null),
    statusDate: z._default(statusDate, null),
    statusReason: z._default(statusReason, null),
    ceCompliance: z._default(ceCompliance, null),
    ceCreditsNeeded: z._default(ceCreditsNeeded, null),
    ceRenewalDate: z._default(ceRenewalDate, null),
  };
});

/**
 * A license, an appointment and a regulatory action as the registry returns them: without our own fields, and with null for what
 * a report may not state.
 */
export const registryLicense = object(() => ({
  ...without(license, 'registryDataSubscriptionId', 'npn', 'updatedAt').shape,
  statusReason: z._default(license.shape.statusReason, null),
  statusDate: z._default(license.shape.statusDate, null),
  linesOfAuthority: z.array(registryLine),
}));
export const registryAppointment = object(() => ({
  ...without(appointment, 'registryDataSubscriptionId', 'npn', 'updatedAt').shape,
  effectiveDate: z._default(appointment.shape.effectiveDate, null),
  countyCode: z._default(appointment.shape.countyCode, null),
}));
export const registryAction = object(() => ({
  stateCode: actionIdentity.shape.stateCode,
  actionId: actionIdentity.shape.actionId,
  ...amendableFields.shape,
}));

/** What the registry has on record for an NPN. */
export const registryEntity = object(() => ({
  kind: z.enum(['firm', 'individual']),
  name: z.string(),
  residentStateCode: z.nullable(stateCode),
  licenses: z.array(registryLicense),
  appointments: z.array(registryAppointment),
}));

export type RegistryEntity = z.output<typeof registryEntity>;
export type RegistryAction = z.output<typeof registryAction>;

/** A row as it was written, with the names of our fields; others are not looked at. */
export type WrittenRow = Readonly<Record<string, unknown>>;

/** A row that cannot be read. */
export interface UnreadableRow {
  readonly kind: 'license' | 'appointment' | 'regulatory action';
  /** Null where even that cannot be read: it may be of any. */
  readonly stateCode: string | null;
  /** The fields that cannot be read. */
  readonly faults: readonly string[];
  /** What was written in the fields that are ours. */
  readonly written: WrittenRow;
}

/**
 * What the registry has on record for an NPN, as a visit reads it. A list that is undefined is one of which it has
 * nothing to say: what is stored stays as it is.
 */
export interface RegistryReport {
  readonly licenses: RegistryEntity['licenses'] | undefined;
  readonly appointments: RegistryEntity['appointments'] | undefined;
  readonly actions: readonly RegistryAction[] | undefined;
  /** Rows that cannot be read. */
  readonly unreadable?: readonly UnreadableRow[] | undefined;
  /** Fields that cannot be read of the others, and so are null. */
  readonly nulled?: readonly string[] | undefined;
  /** The registry does not find the NPN. */
  readonly isNotFound?: boolean | undefined;
  /** Who holds the NPN, where the registry says it. */
  readonly kind?: RegistryEntity['kind'] | undefined;
  readonly name?: string | undefined;
}

/** What is read of an NPN that the registry does not find. */
export const unknownNpn: RegistryReport = {
  licenses: undefined,
  appointments: undefined,
  actions: undefined,
  isNotFound: true,
};

/** All that the registry has on record for an NPN. */
export type EntityReport = RegistryEntity & {
  readonly actions: readonly RegistryAction[];
} & Pick<RegistryReport, 'unreadable' | 'nulled'>;

/**
 * The licensing registry. A call may take seconds; it throws `RegistryUnavailable` when the registry does not respond, or what it
 * responds cannot be read, after the retries of its implementation.
 */
export interface Registry {
  /**
   * Everything that the registry has on record for an NPN; undefined for an NPN that it does not know.
   * @param subscriber the organization that asks: a simulated registry answers each by what it put.
   */
  fetch(npn: string, subscriber?: string): Promise<EntityReport | undefined>;
  /**
   * What visits read of a simulated registry in place of all that it has: the lists that somebody put.
   * @param subscriber undefined: what all read.
   * @returns undefined where the subscriber reads what all do.
   */
  readonly visit?: (npn: string, subscriber?: string) => Promise<RegistryReport | undefined>;
}

/** The registry cannot be reached now; a later retry may help. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
}

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatedAddress = 'simulated';
