import { dynamo } from './tables.ts';

/** What befalls a call of the database: nothing, or it breaks off before or after it took effect. */
export type Fault = 'none' | 'before' | 'after';

/** Has calls of the database break off, as `faultOf` says of each by its command, while the work goes on. */
export async function withFaults<Result>(
  faultOf: (command: string) => Fault,
  work: () => Promise<Result>,
): Promise<Result> {
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const fault = faultOf(context.commandName ?? '');
      if (fault === 'before') throw new Error('broke off');
      const answer = await next(args);
      if (fault === 'after') throw new Error('broke off');
      return answer;
    },
    { step: 'initialize', name: 'faults' },
  );
  try {
    return await work();
  } finally {
    dynamo.middlewareStack.remove('faults');
  }
}

/** Has another writer come first: it writes before each of the work's transactions. */
export async function withOtherWriter<Result>(
  write: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isWriting = false;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === 'TransactWriteItemsCommand' && !isWriting) {
        isWriting = true;
        await write().finally(() => {
          isWriting = false;
        });
      }
      return next(args);
    },
    { step: 'initialize', name: 'otherWriter' },
  );
  try {
    return await work();
  } finally {
    dynamo.middlewareStack.remove('otherWriter');
  }
}

/** Has something happen once, right after the work's first call of the database that `isThere` picks by its input. */
export async function withInterruption<Result>(
  isThere: (command: string, input: object) => boolean,
  interrupt: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      if (!isOver && isThere(context.commandName ?? '', args.input)) {
        isOver = true;
        await interrupt();
      }
      return answer;
    },
    { step: 'initialize', name: 'interruption' },
  );
  try {
    const result = await work();
    if (!isOver) throw new Error('The work never came there.');
    return result;
  } finally {
    dynamo.middlewareStack.remove('interruption');
  }
}

/** Has the answer of the first call of a command, to this table, be lost on its way, after which the SDK asks again. */
export async function withLostAnswer<Result>(
  work: () => Promise<Result>,
  command = 'TransactWriteItemsCommand',
  table?: string,
): Promise<Result> {
  let isLost = false;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next(args);
      const { input } = args;
      const isTo = table === undefined || ('TableName' in input && input.TableName === table);
      if (isLost || context.commandName !== command || !isTo) return answer;
      isLost = true;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
    },
    // Within the SDK's own attempts.
    { step: 'finalizeRequest', priority: 'low', name: 'lostAnswer' },
  );
  try {
    const result = await work();
    if (!isLost) throw new Error(`There was no ${command}.`);
    return result;
  } finally {
    dynamo.middlewareStack.remove('lostAnswer');
  }
}
