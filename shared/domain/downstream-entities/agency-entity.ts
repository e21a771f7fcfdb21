import type * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { recordTimes } from '../../platform/contract/primitives.ts';
import { downstreamEntity } from './resource.ts';

/** One of an agency's own entities. */
export const agencyEntity = object(() => ({ ...downstreamEntity.shape, ...recordTimes.shape }));

export type AgencyEntity = z.output<typeof agencyEntity>;
