import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { confidence, isoDate, objectId, recordTimes, stateCode } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { entityMatchStatus, entityMatchStatuses, policyFields, policyNumber } from './resource.ts';

const text = z.optional(z.string());

export const policyTransactionTypes = [
  'New',
  'Renewal',
  'Endorsement',
  'Cancellation',
  'Reinstatement',
  'Audit',
] as const;

const matchedAgent = compiledObject(() =>
  describedShape(
    {
      agentId: objectId,
      matchSource: z.enum(['npn', 'license', 'name', 'user']),
      matchConfidence: confidence,
      matchedAt: isoDate,
    },
    DOCUMENTED && {
      agentId: 'Id of the organization’s agent who was found.',
      matchSource: {
        description: 'By what the agent was found.',
        values: {
          npn: 'The agent’s NPN.',
          license: 'The number and state of a license.',
          name: 'The agent’s name.',
          user: 'A person chose the agent.',
        },
      },
      matchConfidence: { description: 'How certain the match is, from 0 to 1.', examples: [1] },
      matchedAt: 'When the agent was found.',
    },
  ),
);

/** What a transaction carries beyond the fields it shares with its policy. */
export const policyTransactionFields = lazily(() =>
  describedShape(
    {
      upstreamEntityId: objectId,
      policyNumber,
      policyTransactionType: z.enum(policyTransactionTypes),
      policyTransactionDate: isoDate,
      riskStateCode: stateCode,
      branchName: text,
      entityMatchStatus,
      matchedAgents: z.array(matchedAgent),
      agentMatchStatus: z.enum(entityMatchStatuses),
      transactionFingerprint: z.string(),
      columnMappingId: z.optional(objectId),
      entityId: z.optional(objectId),
      entityModel: text,
      isDeleted: z.boolean(),
      uniqueTransactionId: text,
      downstreamEntityId: z.optional(objectId),
      upstreamDownstreamAssociationId: z.optional(objectId),
      entityMatchConfidence: z.optional(confidence),
      dedupResult: z.enum(['new', 'duplicate', 'amended']),
    },
    DOCUMENTED && {
      upstreamEntityId: 'Id of the organization that the policy belongs to.',
      policyNumber: 'Number of the policy that the transaction changes.',
      policyTransactionType: {
        description: 'What happened to the policy.',
        values: {
          New: 'The policy was written.',
          Renewal: 'The policy was renewed for another term.',
          Endorsement: 'The policy was changed during its term.',
          Cancellation: 'The policy was canceled.',
          Reinstatement: 'A cancellation was taken back: the policy is in force again.',
          Audit: 'The premium was adjusted after an audit.',
        },
      },
      policyTransactionDate:
        'When it happened; the latest one that is not deleted determines the fields of the policy.',
      riskStateCode: 'State of the insured risk as of this transaction.',
      branchName: {
        description: 'The branch of the agency that sold the policy, as received.',
        examples: ['Austin'],
      },
      matchedAgents:
        'Agents of the organization who sold the policy, or with `manual review` those who may have; empty if none is known.',
      agentMatchStatus: {
        description: 'Whether it is known which agents sold the policy.',
        values: {
          unmatched: 'No agent fits.',
          'auto matched': 'The agents were found without a person.',
          'user confirmed': 'A person chose or confirmed the agents.',
          'manual review': 'An agent might fit, but a person must decide.',
        },
      },
      transactionFingerprint: {
        description:
          'SHA-256 of the business fields, in hexadecimal; which ones, the section “Matching” says. One that was received with the transaction is kept.',
        examples: ['b5bb9d8014a0f9b1d61e21e796d78dccab5bb9d8014a0f9b1d61e21e796d78d'],
      },
      columnMappingId:
        'Id of the mapping of columns with which the source was read; absent if there was none.',
      entityId:
        'Id of the record in `entityModel` that the transaction concerns; absent if none was received.',
      entityModel: {
        description: 'Kind of record that `entityId` refers to, as received.',
        examples: ['downstreamEntity'],
      },
      isDeleted:
        'Whether the transaction was deleted; it is returned all the same, but its policy has nothing from it.',
      uniqueTransactionId: {
        description: 'The source’s own id of the transaction; absent if it has none.',
        examples: ['TX-2026-000981'],
      },
      downstreamEntityId: 'Id of the agency that sold the policy; absent if it is not known.',
      upstreamDownstreamAssociationId:
        'Id of the organization’s association with that agency; absent if it is not known.',
      entityMatchConfidence: {
        description: 'How certain the match with the agency is, from 0 to 1; absent if nothing fits.',
        examples: [0.95],
      },
      dedupResult: {
        description: 'How the transaction compares to those received before it.',
        values: {
          new: 'It was not received before.',
          duplicate: 'An equal one was received before.',
          amended: 'It replaces an earlier one with the same `uniqueTransactionId`.',
        },
      },
    },
  ),
);

/** A policy transaction. */
export const policyTransaction = storedItem(
  'policies/transaction',
  described(
    compiledObject(() => ({
      ...describedShape(
        { _id: objectId, policyId: objectId },
        DOCUMENTED && {
          _id: 'Id of the transaction, `transactionId` in paths.',
          policyId: 'Id of the policy that the transaction changes.',
        },
      ),
      ...policyTransactionFields(),
      ...policyFields(),
      ...recordTimes(),
    })),
    DOCUMENTED && {
      id: 'PolicyTransaction',
      description: 'A change to a policy, as received. A field that was not received is absent.',
      examples: [
        {
          _id: '65f0c1d2e3a4b5c6d7e8f902',
          policyId: '65f0c1d2e3a4b5c6d7e8f901',
          upstreamEntityId: '65f0c1d2e3a4b5c6d7e8f900',
          policyNumber: 'GL-2026-000123',
          policyTransactionType: 'Endorsement',
          policyTransactionDate: '2026-06-01',
          riskStateCode: 'TX',
          entityMatchStatus: 'auto matched',
          matchedAgents: [
            {
              agentId: '65f0c1d2e3a4b5c6d7e8f903',
              matchSource: 'npn',
              matchConfidence: 1,
              matchedAt: '2026-06-01T09:00:00.000Z',
            },
          ],
          agentMatchStatus: 'auto matched',
          transactionFingerprint: 'b5bb9d8014a0f9b1d61e21e796d78dcc',
          isDeleted: false,
          dedupResult: 'new',
          premiumAmountInUSD: 13100,
          createdAt: '2026-06-01T09:00:00.000Z',
          updatedAt: '2026-06-01T09:00:00.000Z',
        },
      ],
    },
  ),
);

export type PolicyTransaction = z.output<typeof policyTransaction>;
