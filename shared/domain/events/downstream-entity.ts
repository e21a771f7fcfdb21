import * as z from 'zod/mini';
import { describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { associationStatus } from '../associations/resource.ts';
import { downstreamEntity } from '../downstream-entities/resource.ts';
import { downstreamEntityAssociationId } from '../identifiers/ids.ts';

const text = z.nullable(z.string());

const fields = lazily(() =>
  describedShape(
    {
      downstreamEntityAssociationId,
      downstreamEntity,
      externalId: text,
      producerCode: text,
      branchName: text,
      status: associationStatus,
    },
    DOCUMENTED && {
      downstreamEntity: 'The agency or branch on the other side of the relationship.',
      externalId: 'The organization’s own id for the agency; null if it has not set one.',
      producerCode: 'The agency’s code at the organization; null if it has not set one.',
      branchName: 'The branch that the association is with; null if it is with the whole agency.',
    },
  ),
);

/** Payload of `DOWNSTREAM_ENTITY_CREATED`. */
export const downstreamEntityCreated = lazyObject(fields);

/** Payload of `DOWNSTREAM_ENTITY_UPDATED`. */
export const downstreamEntityUpdated = lazyObject(fields);
