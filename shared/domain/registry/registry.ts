import * as z from 'zod/mini';
import { amount } from '#platform/contract/primitives.ts';
import { actionIdentity, amendableFields, appointment, license } from './resources.ts';

const ownFields = { registryDataSubscriptionId: true, npn: true, updatedAt: true } as const;

/** A license, an appointment and a regulatory action as the registry returns them: without our own fields. */
export const registryLicense = z.omit(license, ownFields);
export const registryAppointment = z.omit(appointment, ownFields);
export const registryAction = z.object({
  stateCode: actionIdentity.shape.stateCode,
  actionId: actionIdentity.shape.actionId,
  ...amendableFields.shape,
  lengthOfOrderInDays: z.nullable(amount.check(z.gte(0))),
});

/** Holder of an NPN. */
export const registryHolder = z.object({ kind: z.enum(['firm', 'individual']), name: z.string() });

export type RegistryHolder = z.output<typeof registryHolder>;
export type RegistryLicense = z.output<typeof registryLicense>;
export type RegistryAppointment = z.output<typeof registryAppointment>;
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
  /** Values as written in the fields that are ours. */
  readonly written: WrittenRow;
}

/**
 * Records of the registry for an NPN, as a visit reads them. A list that is undefined is one of which it has
 * nothing to say: what is stored stays as it is.
 */
export interface RegistryReport {
  readonly licenses: RegistryLicense[] | undefined;
  readonly appointments: RegistryAppointment[] | undefined;
  readonly actions: readonly RegistryAction[] | undefined;
  /** Rows that cannot be read. */
  readonly unreadable?: readonly UnreadableRow[] | undefined;
  /** The registry does not find the NPN. */
  readonly isNotFound?: boolean | undefined;
  /** Holder of the NPN, where the registry says it. */
  readonly kind?: RegistryHolder['kind'] | undefined;
  readonly name?: string | undefined;
}

/** Report of an NPN that the registry does not find. */
export const unknownNpn: RegistryReport = {
  licenses: undefined,
  appointments: undefined,
  actions: undefined,
  isNotFound: true,
};

/** All that the registry has on record for an NPN. */
export interface EntityReport extends RegistryHolder, Pick<RegistryReport, 'unreadable'> {
  readonly licenses: RegistryLicense[];
  readonly appointments: RegistryAppointment[];
  readonly actions: readonly RegistryAction[];
}

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
   * Lists that visits of a simulated registry read in place of all that it has: those that somebody put.
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
