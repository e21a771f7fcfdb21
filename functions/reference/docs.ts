import type { GroupDocs } from '../../shared/platform/contract/documented.ts';
import type { referenceRoutes } from './routes.ts';

export const docs = {
  description: 'The OpenAPI document as a page.',
  routes: {
    getReference: {
      summary: 'Get the reference',
      description: 'A page whose first chapters can be read before its script has run.',
    },
    getReferenceAsset: {
      summary: 'Get the script of the reference',
      description: 'Named by its content, so that caches keep it.',
    },
  },
} satisfies GroupDocs<typeof referenceRoutes.routes>;
