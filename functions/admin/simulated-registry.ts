import * as z from 'zod/mini';
import { npn } from '#domain/identifiers/identifiers.ts';
import {
  registryAction,
  registryAppointment,
  registryHolder,
  registryLicense,
  simulatedAddress,
} from '#domain/registry/registry.ts';
import type { SimulatedRecord, SimulatedRecords } from '#domain/registry/simulated-record.ts';
import { simulate, withRecord } from '#domain/registry/simulator.ts';
import {
  regulatoryActionFields,
  simulatedAppointmentFields,
  simulatedLicenseFields,
} from '#domain/registry-records/operator-fields.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { DomainError } from '#platform/errors/domain-error.ts';

/** Members of the service's own resources that the registry does not have: a record read from the API may be used as input. */
const ours = {
  _id: z.optional(objectId),
  registryDataSubscriptionId: z.optional(objectId),
  npn: z.optional(npn),
  createdAt: z.optional(timestamp),
  updatedAt: z.optional(timestamp),
};

const license = z.strictObject({ ...ours, ...simulatedLicenseFields.shape });
const appointment = z.strictObject({ ...ours, ...simulatedAppointmentFields.shape });
const regulatoryAction = z.strictObject({ ...ours, ...regulatoryActionFields.shape });

/** A record that an operator sets for an NPN in the simulated registry. */
export const registryRecordInput = z.strictObject({
  /** Null: the registry does not know the NPN. */
  entity: z.optional(z.nullable(z.strictObject(registryHolder.shape))),
  licenses: z.optional(z.array(license)),
  appointments: z.optional(z.array(appointment)),
  regulatoryActions: z.optional(z.array(regulatoryAction)),
});

/**
 * Changes a record of the simulated registry; returns everything that it now has for the NPN.
 * @throws DomainError `state_conflict` where the registry is a real one.
 */
export const createSetRegistryRecord =
  (records: SimulatedRecords, registryAddress: string, now: () => Date) =>
  async (npn: string, record: z.output<typeof registryRecordInput>) => {
    if (registryAddress !== simulatedAddress) {
      throw new DomainError('state_conflict', {
        message: 'The registry of this environment is not simulated.',
      });
    }
    const changedRecord: SimulatedRecord = await records.set(npn, {
      entity: record.entity,
      licenses: record.licenses?.map((license) => z.parse(registryLicense, license)),
      appointments: record.appointments?.map((appointment) => z.parse(registryAppointment, appointment)),
      regulatoryActions: record.regulatoryActions?.map((action) => z.parse(registryAction, action)),
    });
    const report = withRecord(simulate(npn, now()), changedRecord, npn);
    return {
      npn,
      record: {
        entity: report === undefined ? null : { kind: report.kind, name: report.name },
        licenses: report?.licenses ?? [],
        appointments: report?.appointments ?? [],
        regulatoryActions: report?.actions ?? [],
      },
    };
  };
