import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { isoDate, timestamp } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/npn.ts';
import { appointment } from '../registry/appointment.ts';
import { license } from '../registry/license.ts';
import { regulatoryAction } from '../registry/regulatory-action.ts';
import { recorders } from './stored-facts.ts';

/** What the registry has records of. */
export const recordKinds = ['license', 'appointment', 'regulatory action'] as const;

export type RecordKind = (typeof recordKinds)[number];

const changeOf = <const Kind extends RecordKind, Shown extends z.core.$ZodType>(kind: Kind, record: Shown) =>
  object(() => ({
    npn,
    kind: z.literal(kind),
    change: z.enum(['added', 'changed', 'removed']),
    changedFields: z.nullable(z.array(z.string())),
    before: z.nullable(record),
    after: z.nullable(record),
    validFrom: z.nullable(isoDate),
    recordedAt: timestamp,
    recordedBy: z.enum(recorders),
  }));

export const licenseChange = changeOf('license', license);
export const appointmentChange = changeOf('appointment', appointment);
export const actionChange = changeOf('regulatory action', regulatoryAction);

/** A version that was recorded of a license, an appointment, or a regulatory action, with the one before it. */
export const registryChange = z.union([licenseChange, appointmentChange, actionChange]);

export type RegistryChange = z.output<typeof registryChange>;
