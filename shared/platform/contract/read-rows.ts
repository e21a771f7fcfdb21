import type * as z from 'zod/mini';
import type { Access, Route } from './route.ts';

/** The row of a read that answers one resource. */
export const getOne = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) => ({ method: 'GET', path, access, answer: { status: 200, one: item } }) as const;

/** The row of a list that answers every match, streamed. */
export const listAll = <
  const Path extends Route['path'],
  const Of extends Access,
  Item extends z.core.$ZodType,
>(
  path: Path,
  access: Of,
  item: Item,
) => ({ method: 'GET', path, access, answer: { status: 200, all: item } }) as const;
