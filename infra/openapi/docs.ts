import '../../shared/platform/contract/docs.ts';
import { existsSync, readdirSync } from 'node:fs';
import type { GroupDocs } from '../../shared/platform/contract/documented.ts';
import type { Environment } from '../environments.ts';
import { routeGroups, routeGroupsOf } from '../function-uses.ts';

// What resources are is said once their files are read.
for (const name of readdirSync('shared/domain')) {
  if (existsSync(`shared/domain/${name}/docs.ts`)) require(`../../shared/domain/${name}/docs.ts`);
}

/** Every route group of the service with its words. */
export const documentedGroups = routeGroups.map((group) => ({
  group,
  docs: (require(`../../functions/${group.name}/docs.ts`) as { readonly docs: GroupDocs }).docs,
}));

/** A group with the words for it. */
export type DocumentedGroup = (typeof documentedGroups)[number];

/** The groups of an environment. */
export const documentedGroupsOf = (environment: Pick<Environment, 'sandbox'>): readonly DocumentedGroup[] =>
  documentedGroups.filter(({ group }) => routeGroupsOf(environment).includes(group));
