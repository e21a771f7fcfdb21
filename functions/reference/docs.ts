import type { GroupDocs } from '#platform/contract/documented.ts';
import type { referenceRoutes } from './routes.ts';

export const docs = {
  description: 'The OpenAPI document as a page.',
  routes: {
    getReference: {
      summary: 'Get the reference',
      description: 'A page that shows the document of its environment.',
    },
    getReferenceAsset: {
      summary: 'Get the script of the reference, or a program',
      description: 'The script is named by its content, so that caches keep it.',
    },
  },
} satisfies GroupDocs<typeof referenceRoutes.routes>;
