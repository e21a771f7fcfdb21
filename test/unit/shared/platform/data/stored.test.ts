import * as z from 'zod/mini';
import {
  itemKey,
  parseStored,
  StoredItemError,
  storedItem,
} from '../../../../../shared/platform/data/stored.ts';

const thing = storedItem('table/thing', () => ({
  name: z.string(),
  parts: z.array(z.object({ size: z.int() })),
}));

/** What reading an item throws. */
function thrownFor(item: unknown): unknown {
  try {
    return parseStored(thing, item);
  } catch (error) {
    return error;
  }
}

it('an item that breaks its schema is named by its schema, its key and what is wrong, never by its values', () => {
  const item = { pk: 'owner', sk: 'id', name: 7, parts: [{ size: 1 }, { size: 'a secret' }] };
  const error = thrownFor(item);
  expect(error).toBeInstanceOf(StoredItemError);
  expect(error).toMatchObject({
    name: 'StoredItemError',
    message:
      'The table/thing owner id does not match its schema at name (invalid_type), parts.1.size (invalid_type).',
    item: { schema: 'table/thing', pk: 'owner', sk: 'id', paths: ['name', 'parts.1.size'] },
  });
});

it('an item whose key cannot be read either is named by its schema', () => {
  expect(thrownFor({ pk: 7, name: 'x', parts: 'none' })).toMatchObject({
    message: 'The table/thing ?  does not match its schema at parts (invalid_type).',
    item: undefined,
  });
});

it('a key of one part has an empty second one', () => {
  expect(parseStored(itemKey, { pk: 'owner', sk: 'id', name: 'x' })).toEqual({ pk: 'owner', sk: 'id' });
  expect(parseStored(itemKey, { pk: 'owner', name: 'x' })).toEqual({ pk: 'owner', sk: '' });
});
