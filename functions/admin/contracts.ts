// Contracts of agency relationships, and their activation, as operators do it.
import * as z from 'zod/mini';
import {
  type ActivateAssociation,
  type AssociationSources,
  associationViews,
} from '#domain/associations/events.ts';
import { type Association, contractContainerTemplate } from '#domain/associations/resource.ts';
import type { AssociationStore } from '#domain/associations/store.ts';
import { associationKeys, type StoredAssociation } from '#domain/associations/stored.ts';
import { derivedEventId } from '#domain/events/stored.ts';
import { EventAlreadyEmitted, type EventItems, type NewEvent } from '#domain/events/transaction-items.ts';
import type { AttachableFiles } from '#domain/file-documents/first-use.ts';
import { existing } from '#platform/contract/errors.ts';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, VersionConflict } from '#platform/data/transact.ts';
import { DomainError } from '#platform/errors/domain-error.ts';

const contractParty = z.enum(['upstream', 'downstream']);

export const contractExecution = z.strictObject({
  downstreamEntityAssociationId: objectId,
  contractContainerTemplateId: z.optional(objectId),
  /** The party that signs; both where none is named. */
  party: z.optional(contractParty),
  /** The carrier's file document that is the signed contract; it counts with the signature that it comes with. */
  signedFileDocumentId: z.optional(objectId),
});

const contract = storedItem('associations/contract', {
  _id: objectId,
  downstreamEntityAssociationId: objectId,
  contractContainerTemplateId: z.nullable(objectId),
  signedByUpstreamAt: z.nullable(timestamp),
  signedByDownstreamAt: z.nullable(timestamp),
  signedFileDocumentId: z.optional(objectId),
  status: z.enum(['open', 'executed']),
});

/** A contract of an agency relationship as the operator sees it; executed when both parties have signed. */
type Contract = z.output<typeof contract>;

const storedTemplate = storedItem(
  'associations/template-of-contract',
  z.extend(contractContainerTemplate, { isDeleted: z.boolean() }).shape,
);

type Template = z.output<typeof storedTemplate>;

interface ExecutionDeps {
  /** The associations'. */
  readonly table: Table;
  readonly associations: AssociationStore;
  readonly activate: ActivateAssociation;
  readonly files: Pick<AttachableFiles, 'read'>;
  readonly events: EventItems;
  readonly now: () => Date;
}

/**
 * Signs a contract; an existing signature stays as it is. The one that completes it emits `CONTRACT_SIGNED` and
 * `PRODUCER_AGREEMENT_EXECUTED`.
 *
 * @throws DomainError `not_found` for an unknown association, or a template or file that its carrier does not have;
 *   `invalid_input` for a file that is not uploaded.
 */
export function createExecuteContract({ table, associations, activate, files, events, now }: ExecutionDeps) {
  async function findTemplate(upstream: string, templateId: string): Promise<Template> {
    const foundTemplate = await table.get(storedTemplate, associationKeys.template(upstream, templateId));
    if (foundTemplate === undefined || foundTemplate.isDeleted) throw new DomainError('not_found');
    return foundTemplate;
  }

  /**
   * Writes the contract, unless another signature came first, together with the events of its completion. The agency's
   * signature makes its association active: it agrees with the carrier.
   */
  async function save(
    association: StoredAssociation,
    template: Template | undefined,
    before: Contract | undefined,
    after: Contract,
    time: Date,
  ): Promise<void> {
    const key = associationKeys.contract(association.upstreamEntityId, association._id, after._id);
    const contractItem = table.items.put(
      { ...key, ...after },
      { signedByUpstreamAt: before?.signedByUpstreamAt, signedByDownstreamAt: before?.signedByDownstreamAt },
    );
    const eventItems =
      after.status === 'executed' ? events(executionEvents(association, template, after, time), time) : [];
    const isAgreed = association.status === 'invited' && after.signedByDownstreamAt !== null;
    try {
      if (isAgreed) await activate(association, time, { further: [contractItem, ...eventItems] });
      else await table.transact([contractItem, ...eventItems]);
    } catch (error) {
      // The event's id is derived from the contract's, so an event that is there means that the contract is complete.
      throw error instanceof EventAlreadyEmitted ? new VersionConflict(undefined, { cause: error }) : error;
    }
  }

  return async ({
    downstreamEntityAssociationId,
    contractContainerTemplateId,
    party,
    signedFileDocumentId,
  }: z.output<typeof contractExecution>): Promise<Contract> =>
    retryOnConflict(async () => {
      const association = existing(await associations.findById(downstreamEntityAssociationId));
      // By default, the template that the agency was invited with.
      const templateId = contractContainerTemplateId ?? association.contractContainerTemplateId;
      const template =
        templateId === undefined ? undefined : await findTemplate(association.upstreamEntityId, templateId);
      // One contract for an association and a template: its id is derived from them.
      const _id = derivedObjectId('contract', association._id, templateId ?? '');
      const key = associationKeys.contract(association.upstreamEntityId, association._id, _id);
      const before = await table.get(contract, key);
      const time = now();
      const signs = (signer: z.output<typeof contractParty>) => party === undefined || party === signer;
      const signedByUpstreamAt =
        before?.signedByUpstreamAt ?? (signs('upstream') ? time.toISOString() : null);
      const signedByDownstreamAt =
        before?.signedByDownstreamAt ?? (signs('downstream') ? time.toISOString() : null);
      const after: Contract = {
        _id,
        downstreamEntityAssociationId,
        contractContainerTemplateId: templateId ?? null,
        signedByUpstreamAt,
        signedByDownstreamAt,
        status: signedByUpstreamAt === null || signedByDownstreamAt === null ? 'open' : 'executed',
      };
      const isSigned =
        before?.signedByUpstreamAt === signedByUpstreamAt &&
        before.signedByDownstreamAt === signedByDownstreamAt;
      if (isSigned) return before;
      const signedFile = signedFileDocumentId ?? before?.signedFileDocumentId;
      if (signedFile !== undefined) {
        await files.read(association.upstreamEntityId, [signedFile], () => 'signedFileDocumentId');
      }
      const signedContract =
        signedFile === undefined ? after : { ...after, signedFileDocumentId: signedFile };
      await save(association, template, before, signedContract, time);
      return signedContract;
    });
}

function executionEvents(
  association: StoredAssociation,
  template: Template | undefined,
  { _id, signedFileDocumentId }: Contract,
  time: Date,
): NewEvent[] {
  const payload = {
    downstreamEntityAssociationId: association._id,
    downstreamEntityId: association.downstreamEntityId,
    producerCode: association.producerCode,
    branchName: association.branchName,
    contractContainerInstanceId: _id,
    ...(signedFileDocumentId === undefined ? {} : { signedFileDocumentId }),
    ...(template === undefined
      ? {}
      : { contractContainerTemplateId: template._id, contractContainerTemplateName: template.name }),
  };
  const common = (type: string) => ({
    upstreamEntityId: association.upstreamEntityId,
    entityId: association._id,
    eventId: derivedEventId(type, _id),
  });
  return [
    {
      ...common('CONTRACT_SIGNED'),
      type: 'CONTRACT_SIGNED',
      payload: { ...payload, signedAt: time.toISOString() },
    },
    { ...common('PRODUCER_AGREEMENT_EXECUTED'), type: 'PRODUCER_AGREEMENT_EXECUTED', payload },
  ];
}

/**
 * Makes an association active on the agency's behalf; one that is active stays as it is.
 * @throws ApiError `not_found` for an unknown association.
 */
export const createActivateById =
  (
    deps: AssociationSources & {
      readonly associations: AssociationStore;
      readonly activate: ActivateAssociation;
      readonly now: () => Date;
    },
  ) =>
  (associationId: string): Promise<Association> =>
    retryOnConflict(async () => {
      const foundAssociation = existing(await deps.associations.findById(associationId));
      const isActive = foundAssociation.status === 'active';
      const after = isActive
        ? foundAssociation
        : (await deps.activate(foundAssociation, deps.now())).association;
      const [view] = await associationViews(after.upstreamEntityId, [after], deps);
      return existing(view);
    });
