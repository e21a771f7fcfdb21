import * as z from 'zod/mini';
import { object, without } from '../../platform/contract/object.ts';
import { stateCode } from '../../platform/contract/primitives.ts';
import {
  type Appointment,
  actionIdentity,
  amendableFields,
  appointment,
  type License,
  license,
  lineOfAuthority,
} from './resources.ts';

/** Days within which every NPN is polled, whether or not a list of changes names it. */
export const pollEveryDays = 28;

/** What not every registry states of a line is null where it is absent. */
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
 * not every registry states.
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

/** What is understood of a row that is set aside. */
export type UnreadRow = { readonly stateCode: string } & (
  | ({ readonly kind: 'license'; readonly licenseNumber: string | null; readonly isLive: boolean } & Pick<
      License,
      'licenseClassCode' | 'licenseClassName'
    >)
  | ({ readonly kind: 'appointment' } & Pick<Appointment, 'companyCode' | 'ein' | 'carrierName'>)
);

/** A row that is set aside. */
export interface SetAsideRow {
  /** What of it was understood, in `unknownState` where its state was not. Absent where nothing may depend on it. */
  readonly unread?: UnreadRow | undefined;
  /** The fields that cannot be read. */
  readonly faults: readonly string[];
  /** What was written in the fields that are ours. */
  readonly written: WrittenRow;
}

/** Where the state of a row cannot be read: it may be of any. */
export const unknownState = '?';

/**
 * What the registry has on record for an NPN, as one poll reads it. A list that is undefined is one of which it has
 * nothing to say: what is stored stays as it is.
 */
export interface RegistryReport {
  readonly licenses: RegistryEntity['licenses'] | undefined;
  readonly appointments: RegistryEntity['appointments'] | undefined;
  readonly actions: readonly RegistryAction[];
  /** Rows that cannot be read. */
  readonly setAside?: readonly SetAsideRow[] | undefined;
  /** Fields that cannot be read of the others, and so are null. */
  readonly nulled?: readonly string[] | undefined;
  /** The registry does not find the NPN. */
  readonly isNotFound?: boolean | undefined;
}

/** What a poll reads of an NPN that the registry does not find. */
export const unknownNpn: RegistryReport = {
  licenses: undefined,
  appointments: undefined,
  actions: [],
  isNotFound: true,
};

/** All that the registry has on record for an NPN. */
export type EntityReport = RegistryEntity & Omit<RegistryReport, 'isNotFound' | keyof RegistryEntity>;

/**
 * The licensing registry. Every method may take seconds; each throws `RegistryUnavailable` when the registry does
 * not respond, or breaks its schema, after the retries of its implementation.
 */
export interface Registry {
  /** Subscribes to changes; repeating it changes nothing. */
  subscribe(npn: string): Promise<void>;
  /**
   * Undefined for an NPN that the registry does not know.
   * @param subscriber the organization that asks: a simulated registry may answer each otherwise.
   */
  fetch(npn: string, subscriber: string): Promise<EntityReport | undefined>;
}

/** The NPNs whose records changed in the registry, as its lists of changes say. */
export interface RegistryChanges {
  /** NPNs, maybe also of nobody who is subscribed to; one may come several times. */
  readonly npns: readonly string[];
  /** What the next question takes. */
  readonly cursor: string;
  /** Up to when all changes are named, in this list or an earlier one: an ISO time. Absent where that is not known. */
  readonly until?: string | undefined;
  /** Days whose list is missing, or cannot be read in full. Each comes again, and `until` is before it. */
  readonly missing?: readonly string[] | undefined;
  /** Where the registry no longer waits for a missing day: what was verified before this ISO time is not confirmed by `until`. */
  readonly gapUntil?: string | undefined;
}

/** Reads lists of changes that somebody puts somewhere; as `changesSince`, at a time. */
export type ListedChanges = (cursor: string | undefined, now: Date) => Promise<RegistryChanges>;

/** The registry as the daily reconciliation reads it. */
export interface RegistryPolls {
  /** Calls that a poll takes. */
  readonly callsPerPoll: number;
  /**
   * Whose records changed since an earlier question.
   * @param cursor of the last answer; undefined at first.
   * @returns undefined where the registry keeps no lists of changes.
   * @throws RegistryUnavailable when the lists cannot be read now.
   */
  changesSince(cursor: string | undefined): Promise<RegistryChanges | undefined>;
  /** Everything that the registry has on record for an NPN. @throws RegistryUnavailable as `Registry` does. */
  poll(npn: string): Promise<RegistryReport>;
  /** What a subscriber alone reads of an NPN, in place of `poll`; undefined where it reads what all do. @throws as `poll`. */
  readonly pollFor?: (npn: string, subscriber: string) => Promise<RegistryReport | undefined>;
}

/** The registry cannot be reached now; a later retry may help. */
export class RegistryUnavailable extends Error {
  override readonly name = 'RegistryUnavailable';
}
