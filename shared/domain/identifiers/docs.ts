import { documented, type FieldDocs } from '#platform/contract/documented.ts';
import {
  fileCategory,
  type marketIds,
  naicCode,
  npn,
  type producerNames,
  surplusLinesCategory,
  versionedCategoryMeanings,
} from './identifiers.ts';

documented(naicCode, {
  description: 'NAIC company code of an insurer, usually 5 digits.',
  examples: ['19437'],
});

export const downstreamEntityIdDocs = 'Id of the agency or branch, the `_id` of its downstream entity.';

export const downstreamEntityAssociationIdDocs = 'Id of the carrier’s association with the agency.';

export const upstreamDownstreamAssociationIdDocs =
  'Id of the market; for a carrier on the platform, the `_id` of its association with the entity.';

export const registryDataSubscriptionIdDocs =
  'Id of the organization’s compliance data subscription for the NPN.';

export const fileDocumentIdDocs = 'Id of the file document; a download link is requested with it.';

export const productIdDocs = 'Id of the product, the same in its compliance config.';

export const agentIdDocs = 'Id of the organization’s agent whom the event is about.';

documented(npn, {
  description:
    'National Producer Number, 1 to 10 digits without leading zeros. In a request, spaces, commas, and hyphens between digits are ignored.',
  examples: ['17654321'],
});

/** Comparison of ids of other systems. */
export const comparedIds = 'It is compared as written: other systems may tell their ids apart by case alone.';

/** The two names of a market's id, as a request has them: the first says what the market is for. */
export const marketIdsDocs = (description: string) =>
  ({
    upstreamDownstreamAssociationId: description,
    downstreamEntityAssociationId: 'The same as `upstreamDownstreamAssociationId`; send either.',
  }) as const satisfies FieldDocs<typeof marketIds>;

export const producerNamesDocs = {
  firstName: ['Given name of the producer.', 'Maria'],
  middleName: ['Or an initial alone.', 'T.'],
  lastName: ['Family name of the producer.', 'Delgado'],
} satisfies FieldDocs<typeof producerNames>;

export const fileCategoryDocs = documented(fileCategory, {
  id: 'FileCategory',
  description: 'What the file is for.',
  values: { [surplusLinesCategory]: 'A file for a surplus lines filing.', ...versionedCategoryMeanings },
});
