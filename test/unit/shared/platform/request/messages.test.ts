import * as z from 'zod/mini';
import { ApiError } from '#platform/contract/errors.ts';
import { TransactionContention, VersionConflict } from '#platform/data/transact.ts';
import { DomainError, type DomainErrorReason, foundAt, type Issue } from '#platform/errors/domain-error.ts';
import { refusalOf } from '#platform/request/refusal.ts';
import { parseInput, unwrapSchema } from '#platform/request/validation.ts';
import { routeGroups } from '../../../../../infra/function-uses.ts';

describe('messages', () => {
  function issuesOf(
    schema: z.core.$ZodType,
    input: unknown,
    unknownKeys?: Parameters<typeof parseInput>[2],
  ): readonly Issue[] {
    try {
      parseInput(schema, input, unknownKeys);
      return [];
    } catch (error) {
      if (error instanceof ApiError) return error.details?.issues ?? [];
      throw error;
    }
  }

  /** Every object that a route accepts: its query, body and form, and the objects within them. */
  const objects = routeGroups.flatMap(({ routes }) =>
    Object.entries(routes).flatMap(([operationId, { query, body, form }]) =>
      Object.entries({ query: z.strictObject({ ...query?.shape }), body, form }).flatMap(([part, schema]) =>
        schema === undefined
          ? []
          : shapesOf(schema).map((shape): [string, Shape] => [`${operationId} ${part}`, shape]),
      ),
    ),
  );

  type Shape = Readonly<Record<string, z.core.$ZodType>>;

  function shapesOf(schema: z.core.$ZodType): Shape[] {
    const { def } = unwrapSchema(schema)._zod;
    if (def.type === 'object') return [def.shape, ...Object.values(def.shape).flatMap(shapesOf)];
    if (def.type === 'array') return shapesOf(def.element);
    return def.type === 'union' ? def.options.flatMap(shapesOf) : [];
  }

  const fields = objects.flatMap(([of, shape]) =>
    Object.entries(shape).map(([name, schema]): [string, string, z.core.$ZodType] => [of, name, schema]),
  );

  const useless = [
    undefined,
    null,
    true,
    -1,
    1e300,
    '',
    '\u{1F3E2}',
    'x'.repeat(20_000),
    [],
    Array(2_000).fill(0),
    {},
  ];

  it('a text where a list is expected is not measured as well', () => {
    const types = z.array(z.string()).check(z.maxLength(2));
    expect(issuesOf(z.strictObject({ types, more: types }), { types: 'abc', more: ['a', 'b', 'c'] })).toEqual(
      [
        { path: 'types', message: 'must be an array' },
        { path: 'more', message: 'must have at most 2 items' },
      ],
    );
  });

  it('there are fields of every kind', () => {
    expect(fields.length).toBeGreaterThan(100);
    expect(demanded.length).toBeGreaterThan(30);
  });

  it.each(fields)('%s: what is wrong with %s is said in words', (_, name, schema) => {
    for (const value of useless) {
      for (const { message } of issuesOf(z.object({ [name]: schema }), { [name]: value })) {
        expect(message).toMatch(/^(must|is|are|has|lists|requires|names|and) /);
        expect(message).not.toMatch(/undefined|received|expected|NaN|Invalid|\[object|pattern/);
        expect(message.length).toBeLessThan(200);
      }
    }
  });

  const demanded = fields.filter(([, name, schema]) => issuesOf(z.object({ [name]: schema }), {}).length > 0);

  it.each(demanded)('%s: %s is required', (_, name, schema) => {
    expect(issuesOf(z.object({ [name]: schema }), {})).toEqual([
      expect.objectContaining({ path: name, message: 'is required' }),
    ]);
  });

  it.each([
    [z.string(), 7, 'must be a string'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.enum(['open', 'done']), 'lost', 'must be one of "open", "done"'],
    [
      z.enum(Array.from({ length: 54 }, (_, index) => `S${index}`)),
      'XX',
      'must be one of 54 accepted values',
    ],
    [z.literal('PUT'), 'POST', 'must be "PUT"'],
    [z.string().check(z.maxLength(5)), 'too long', 'must have at most 5 characters'],
    [z.array(z.string()).check(z.minLength(1)), [], 'must have at least 1 item'],
    [z.number().check(z.gte(1)), 0, 'must be at least 1'],
    [z.string().check(z.email()), 'x', 'must be an email address'],
    [z.iso.datetime(), '2027-02-30', 'must be a date-time such as 2026-03-01T14:05:09Z'],
  ])('%# is refused in words', (schema, value, message) => {
    expect(issuesOf(z.object({ field: schema }), { field: value })).toEqual([
      expect.objectContaining({ path: 'field', message }),
    ]);
  });

  const routes = routeGroups.flatMap(({ routes: table }) => Object.entries(table));

  /** Each object that a schema accepts: an input with an unknown key in it, and the keys that it has. */
  function misspelt(
    schema: z.core.$ZodType,
    within: (inner: unknown) => unknown = (inner) => inner,
  ): { input: unknown; known: string[] }[] {
    const { def } = unwrapSchema(schema)._zod;
    if (def.type === 'array') return misspelt(def.element, (inner) => within([inner]));
    if (def.type !== 'object') return [];
    return [
      { input: within({ misspelt: 'x' }), known: Object.keys(def.shape) },
      ...Object.entries(def.shape).flatMap(([key, member]) =>
        misspelt(member, (inner) => within({ [key]: inner })),
      ),
    ];
  }

  const written = routes.flatMap(([operationId, { body, form, standard }]) =>
    // RFC 6749 ignores what it does not know.
    Object.entries(standard === undefined ? { body, form } : {}).flatMap(([part, schema]) =>
      schema === undefined
        ? []
        : misspelt(schema).map(({ input, known }) => ({ operationId, part, schema, input, known })),
    ),
  );

  it.each(written)(
    '$operationId: an unknown key in $input of the $part is answered with the known ones',
    ({ schema, input, known }) => {
      expect(issuesOf(schema, input)).toContainEqual({
        path: expect.stringMatching(/(^|\.)misspelt$/),
        message: 'is not a known field',
        accepted: known,
      });
    },
  );
});

describe('refusal', () => {
  const contention = [new TransactionContention(), new VersionConflict()];

  test.each(contention)('$name becomes a transient conflict with it as the cause', (error) => {
    expect(refusalOf(error)).toMatchObject({
      status: 409,
      errorType: 'transient_transaction_error',
      retryAfterSeconds: 1,
      cause: error,
    });
  });

  // Only of what passes by itself it is said when.
  test.each<[DomainErrorReason, number, string, number | undefined]>([
    ['not_found', 404, 'not_found', undefined],
    ['state_conflict', 409, 'conflict', undefined],
    ['plan_limit_reached', 403, 'invite_limit_reached', undefined],
    ['duplicate_external_id', 409, 'duplicate_external_id_error', undefined],
    ['concurrent_duplicate', 409, 'transient_transaction_error', undefined],
  ])('%s has status %d, %s, and a message of the API', (reason, status, errorType, retryAfterSeconds) => {
    const error = new DomainError(reason);
    const refusal = refusalOf(error);
    expect(refusal).toMatchObject({ status, errorType, cause: error });
    expect(refusal?.retryAfterSeconds).toBe(retryAfterSeconds);
    expect(refusal?.message).toMatch(/^[A-Z].*\.$/);
  });

  test('the details name the limit that was reached', () => {
    const limit = { expected: 'at most 3 associated agencies', actual: '3' };
    expect(refusalOf(new DomainError('plan_limit_reached', { limit }))).toMatchObject({ details: limit });
  });

  test('the details have the id of the record that stands in the way, beside the fields at fault', () => {
    const ids = { contactId: '65f0c1d2e3a4b5c6d7e8f912' };
    const issues = [{ path: 'email', message: 'is taken' }];
    expect(refusalOf(new DomainError('state_conflict', { ids }))?.details).toEqual(ids);
    expect(refusalOf(new DomainError('not_found', { ids, issues }))?.details).toEqual({ issues, ...ids });
    expect(refusalOf(new DomainError('state_conflict'))?.details).toBeUndefined();
  });

  test('the refusal of invalid input names each field at fault', () => {
    const issues = [
      { path: 'associations', message: 'are too many' },
      { path: 'email', message: 'is taken' },
    ];
    expect(refusalOf(new DomainError('invalid_input', { issues }))).toMatchObject({
      status: 400,
      errorType: 'validation_error',
      message: 'associations: are too many; email: is taken',
      details: { issues },
    });
  });

  test('the refusal of an id in a body names the field', async () => {
    const looked = foundAt('downstreamEntityId', Promise.reject(new DomainError('not_found')));
    const error: unknown = await looked.catch((reason: unknown) => reason);
    expect(refusalOf(error)).toMatchObject({
      status: 404,
      errorType: 'not_found',
      message: 'downstreamEntityId: does not exist or is not yours',
      details: { issues: [{ path: 'downstreamEntityId', message: 'does not exist or is not yours' }] },
    });
  });

  test('no other failure is a refusal', () => {
    expect(refusalOf(new Error('ours'))).toBeUndefined();
    expect(refusalOf('ours')).toBeUndefined();
  });
});
