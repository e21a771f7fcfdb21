import type { Operation } from '../../shared/platform/request/operation.ts';
import type { downstreamEntityAssociationRoutes } from './routes.ts';
import type { TemplateStore } from './templates.ts';

/** The caller's active templates. */
export const listTemplates: Operation<
  typeof downstreamEntityAssociationRoutes.routes.listContractContainerTemplates,
  { readonly templates: TemplateStore }
> = ({ identity }, { templates }) => templates.list(identity.organizationId);
