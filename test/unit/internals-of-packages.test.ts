// What the code takes from inside packages, which may change with any version: each test says what to do then.
import {
  IdempotencyConfig,
  IdempotencyItemAlreadyExistsError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import * as z from 'zod/mini';
import { Doc } from 'zod/v4/core';
import { later, looseObject, object, strictObject } from '../../shared/platform/contract/object.ts';
import { lambdaContext } from '../support/api-event.ts';

/** Fails with the sentence if something is no longer so. */
function expectStill(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(sentence);
}

const outcomeOf = (work: () => unknown): string => {
  try {
    return JSON.stringify(work());
  } catch (error) {
    return String(error);
  }
};

describe('zod, of which `shared/platform/contract/object.ts` makes objects that are built later', () => {
  const fields = () => ({ a: z.string(), b: z.optional(z.number()) });

  it('compiles their parsers', () => {
    const compile = jest.spyOn(Doc.prototype, 'compile');
    try {
      z.parse(object(fields), { a: '' });
      expectStill(
        compile.mock.calls.length > 0,
        '`$ZodObjectJIT.init` of zod compiles no parser anymore, so records are parsed half as fast: have `built` make `z.object` of ' +
          'zod/mini where that compiles, or else of zod.',
      );
    } finally {
      compile.mockRestore();
    }
  });

  it('reads nothing of them but `_zod` for a value', () => {
    const read = new Set<unknown>();
    const made = new Proxy(z.object(fields()), {
      get: (target, name) => {
        read.add(name);
        return Reflect.get(target, name, target);
      },
    });
    const schema = later(() => made);
    z.parse(schema, { a: '' });
    read.delete('_zod');
    expectStill(
      read.size === 0,
      `For each value, zod reads ${[...read].map(String).join(', ')} of a schema, which goes through the proxy of \`later\`: give the ` +
        'object of `later` these members, too, as it has `_zod`.',
    );
  });

  const kinds: Readonly<Record<string, readonly [z.ZodMiniObject, z.ZodMiniObject]>> = {
    object: [z.object(fields()), object(fields)],
    strictObject: [z.strictObject(fields()), strictObject(fields)],
    looseObject: [z.looseObject(fields()), looseObject(fields)],
  };
  it.each(Object.entries(kinds))('treats a later %s as its own', (_kind, [own, ours]) => {
    const uses: Readonly<Record<string, (schema: z.ZodMiniObject) => z.ZodMiniType>> = {
      alone: (schema) => schema,
      'a field': (schema) => z.object({ field: schema }),
      'an optional field': (schema) => z.object({ field: z.optional(schema) }),
      'an element': (schema) => z.array(schema),
      'a member of a union': (schema) => z.union([z.string(), schema]),
      'what another extends': (schema) => z.extend(schema, { c: z.literal(1) }),
      'what others are of': (schema) => z.partial(z.pick(schema, { a: true })),
      'what is refined': (schema) => schema.check(z.refine(({ a }) => a !== 'x')),
    };
    const values = [{ a: 'y' }, { a: 'x' }, { a: 1 }, { a: 'y', c: 1, d: 2 }, {}, null].flatMap((value) => [
      value,
      { field: value },
      [value],
    ]);
    for (const [use, of] of Object.entries(uses)) {
      const isSo = [
        (schema: z.ZodMiniType) => z.toJSONSchema(schema),
        ...values.map((value) => (schema: z.ZodMiniType) => z.parse(schema, value)),
      ].every((work) => outcomeOf(() => work(of(own))) === outcomeOf(() => work(of(ours))));
      expectStill(
        isSo,
        `As ${use}, zod no longer takes a schema of \`later\` for one of its own. Have \`object\`, \`strictObject\`, and ` +
          '`looseObject` make theirs at once, by `z.object` and its siblings, and functions start later.',
      );
    }
  });
});

describe('Powertools, whose idempotency `LeasedRecords` (`shared/platform/request/idempotency.ts`) stores', () => {
  /** Runs a write under a key, on a store that has a record of it already or not; answers what the store was asked. */
  async function calls(earlier: 'COMPLETED' | undefined, work: () => Promise<void>) {
    const asked: string[] = [];
    class Store extends BasePersistenceLayer {
      protected override async _putRecord({ idempotencyKey, payloadHash = '' }: IdempotencyRecord) {
        asked.push(
          `put ${idempotencyKey === this.getHashedIdempotencyKey(payload) ? 'the key' : 'another key'}`,
        );
        if (earlier === undefined) return;
        const expiryTimestamp = Math.floor(Date.now() / 1_000) + 60;
        const record = { idempotencyKey, status: earlier, expiryTimestamp, payloadHash };
        throw new IdempotencyItemAlreadyExistsError('There is a record.', new IdempotencyRecord(record));
      }
      protected override async _updateRecord() {
        asked.push('update');
      }
      protected override async _deleteRecord() {
        asked.push('delete');
      }
      protected override async _getRecord(): Promise<IdempotencyRecord> {
        asked.push('get');
        throw new Error('get');
      }
    }
    const payload = { key: 'key', body: {} };
    const config = new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'body',
      lambdaContext,
    });
    const run = makeIdempotent(
      async (_payload: typeof payload) => {
        asked.push('work');
        await work();
      },
      { persistenceStore: new Store(), config, keyPrefix: 'write', dataIndexArgument: 0 },
    );
    await run(payload).catch(() => undefined);
    return asked.join(', ');
  }

  const instead =
    'Adapt `LeasedRecords`, or have `createIdempotency` do without Powertools: begin a record with a condition, work, record the ' +
    'response, and delete the record where the work fails.';

  it.each([
    ['a first write', undefined, 'put the key, work, update'],
    ['a repeated write', 'COMPLETED', 'put the key'],
  ] as const)('asks it of %s what it expects', async (which, earlier, expected) => {
    const asked = await calls(earlier, async () => undefined);
    expectStill(
      asked === expected,
      `Powertools asks its store of ${which} "${asked}", and not "${expected}". ${instead}`,
    );
  });

  it('asks it of a write that fails what it expects', async () => {
    const asked = await calls(undefined, () => Promise.reject(new Error('failed')));
    const expected = 'put the key, work, delete';
    expectStill(
      asked === expected,
      `Powertools asks its store of a failed write "${asked}", and not "${expected}". ${instead}`,
    );
  });
});
