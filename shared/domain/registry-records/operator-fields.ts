import * as z from 'zod/mini';
import { textUpTo } from '#platform/contract/primitives.ts';
import { registryAction, registryAppointment, registryLicense } from '../registry/registry.ts';
import { lineOfAuthority, text } from '../registry/resources.ts';

// The fields of the registry's records that operators give, in an import or to the simulated registry. The rest get
// the values of a record of which no more is known.

/** A field that is null where it is left out; another one is required. */
type Given<Field> = Field extends z.ZodMiniNullable ? z.ZodMiniDefault<Field> : Field;

const givenText = z.nullable(z.string().check(z.maxLength(300)));

/** The fields of a record as operators give them. */
const given = <Fields extends z.core.$ZodShape>(recordFields: Fields) =>
  Object.fromEntries(
    Object.entries(recordFields).map(([name, field]) => {
      if (!(field instanceof z.ZodMiniNullable)) return [name, field];
      return [name, z._default(field.def.innerType === text.def.innerType ? givenText : field, null)];
    }),
  ) as { [Name in keyof Fields]: Given<Fields[Name]> };

/**
 * A status is part of an index key, as are the codes and names that identify a record. Nothing is known of a record without one.
 */
const status = textUpTo(100);

const isNamed = () =>
  z.refine<{ readonly code?: string | null | undefined; readonly name?: string | undefined }>(
    ({ code, name }) => Boolean(code ?? '') || Boolean(name ?? ''),
    { error: 'must have a code or a name' },
  );

/** The fields of a line of authority other than its code and its name. */
export const lineFields = z.object({
  ...given(z.omit(lineOfAuthority, { code: true, name: true }).shape),
  status: z._default(status, 'active'),
});

/** A line of authority; its name defaults to that of its code. Where only the name is known, the code is ''. */
const operatorLine = z.pipe(
  z
    .strictObject({
      code: z.optional(z.nullable(z.string().check(z.maxLength(50)))),
      name: z.optional(z.string().check(z.maxLength(300))),
      ...lineFields.shape,
    })
    .check(isNamed()),
  z.transform((line) => ({ ...line, code: line.code ?? '', name: line.name ?? line.code ?? '' })),
);

/** A license, without its holder. */
export const licenseFields = z.object({
  ...given(registryLicense.shape),
  status,
  // A license of which nobody says that it is of the home state is no proof that its holder is licensed there.
  residencyStatus: z._default(registryLicense.shape.residencyStatus, 'non-resident'),
  linesOfAuthority: z._default(z.array(operatorLine), []),
});

/** An appointment, without its holder. */
export const appointmentFields = z.object({ ...given(registryAppointment.shape), status });

/** A license of the simulated registry: what nobody says otherwise is in force, and at home. */
export const simulatedLicenseFields = z.object({
  ...licenseFields.shape,
  status: z._default(status, 'active'),
  residencyStatus: z._default(registryLicense.shape.residencyStatus, 'resident'),
});

/** An appointment of the simulated registry, in force unless somebody says otherwise. */
export const simulatedAppointmentFields = z.object({
  ...appointmentFields.shape,
  status: z._default(status, 'active'),
});

/** A regulatory action, without the license holder. */
export const regulatoryActionFields = z.object(given(registryAction.shape));
