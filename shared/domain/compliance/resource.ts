import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { productId } from '../identifiers/ids.ts';
import { naicCode } from '../identifiers/naic-code.ts';

export const appointmentRequirements = ['required', 'not required', 'on binding'] as const;

/** Whose appointment a product asks for. */
export const appointmentParties = ['both', 'agency', 'agent'] as const;

/** A line of authority that is required: a code, or any one of several. */
const lineRequirement = lazily(() => {
  const code = z.string().check(z.minLength(1), z.maxLength(50));
  const anyOf = described(
    z.array(code).check(z.minLength(1), z.maxLength(20)),
    DOCUMENTED && {
      description: 'Codes of which at least one is enough, such as that of a combined line.',
      examples: [['16', '20']],
    },
  );
  return z.union([code, z.strictObject({ anyOf })]);
});

export type LineRequirement = z.output<ReturnType<typeof lineRequirement>>;

/** What a product requires of its producers in one state. */
export const stateRequirement = lazyObject(() =>
  describedShape(
    {
      stateCode,
      linesOfAuthority: z.array(lineRequirement()).check(z.maxLength(100)),
      appointment: z.enum(appointmentRequirements),
      appointmentOf: z.optional(z.enum(appointmentParties)),
    },
    DOCUMENTED && {
      stateCode: 'State to which the requirements apply.',
      linesOfAuthority: {
        description:
          'The lines of authority that licenses must have, each a code as the registry reports it, or `{"anyOf": [codes]}` where one of several is enough. Licenses and appointments may meet an entry by different codes. Empty if any license will do.',
        examples: [['16', { anyOf: ['11', '12'] }]],
      },
      appointment: {
        description: 'Whether the carrier must have appointed the producer.',
        values: {
          required: 'An appointment for every required line of authority must be in force.',
          'not required': 'No appointment is needed.',
          'on binding': 'The carrier appoints when it binds the first policy, so none is needed before.',
        },
      },
      appointmentOf: {
        description: 'Who needs that appointment; the others’ appointment status is `Not Required`.',
        values: {
          both: 'The agency and the producer; the default.',
          agency: 'The agency alone.',
          agent: 'The producer alone.',
        },
      },
    },
  ),
);

export const productName = described(
  z.string().check(z.minLength(1), z.maxLength(300)),
  DOCUMENTED && {
    description: 'Name that the carrier gave the product in its compliance config.',
    examples: ['Contractors General Liability'],
  },
);

export const productCode = described(
  z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  DOCUMENTED && {
    description: 'The carrier’s own code of the product, by which policies are matched with it.',
    examples: ['CGL'],
  },
);

/** NAIC company codes of the insurers that write a product. */
export const carrierNaicCodes = described(
  z.optional(z.array(naicCode).check(z.minLength(1), z.maxLength(100))),
  DOCUMENTED && {
    description:
      'NAIC company codes of the insurers that write the product. Only their appointments count for it, instead of the organization’s own.',
    examples: [['19437']],
  },
);

/** The day from which a version of a config is in force. */
export const validFrom = described(
  z.iso.date({ error: 'must be a date such as 2026-04-15' }),
  DOCUMENTED && {
    description:
      'Day, in America/New_York, from which these requirements are in force. Earlier versions are kept, and decide about the days before.',
    examples: ['2026-04-15'],
  },
);

/** What a product requires of its producers, by state. */
export const complianceConfig = described(
  compiledObject(() =>
    describedShape(
      { productId, productName, productCode, carrierNaicCodes, states: z.array(stateRequirement), validFrom },
      DOCUMENTED && {
        states:
          'Requirements by state, each state once. In a state that is not listed, only a license is required.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'ComplianceConfig',
    description: 'What a product requires of its producers, by state.',
    examples: [
      {
        productId: '65f0c1d2e3a4b5c6d7e8f905',
        productName: 'Contractors General Liability',
        productCode: 'CGL',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
        validFrom: '2026-04-15',
      },
    ],
  },
);

export type StateRequirement = z.output<typeof stateRequirement>;
export type ComplianceConfig = z.output<typeof complianceConfig>;

/** When a config was last written; stored with it, not shown. */
export const configTimes = { createdAt: timestamp, updatedAt: timestamp };
