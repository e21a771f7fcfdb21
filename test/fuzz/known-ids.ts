import { pathParameters } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';

/** Most ids that are kept of a name: the newest take the place of the oldest. */
const mostIds = 50;

const paths = routeGroups.flatMap(({ routes }) => Object.values(routes).map(({ path }) => path));

/** The parameter that names what a path lists: `policyId` for `/v2/upstream/policies`. */
const itemOf = (path: string): string | undefined => {
  const below = paths.find((other) => other.startsWith(`${path}/{`)) ?? path;
  return pathParameters(below).at(-1);
};

/**
 * The ids that the API has answered, by the names of parameters and fields, so that requests name what exists: `{policyId:7}`
 * stands for one of a policy.
 */
export function createKnownIds() {
  const byName = new Map<string, string[]>();
  const add = (name: string, id: string): void => {
    const ids = byName.get(name) ?? [];
    if (!ids.includes(id)) byName.set(name, [...ids.slice(1 - mostIds), id]);
  };
  return {
    /** Keeps the ids of an answer to a request of this path template. */
    learn(template: string, answer: string): void {
      const item = itemOf(template);
      // Of a long list, the beginning is enough.
      for (const [, name = '', id = ''] of answer
        .slice(0, 20_000)
        .matchAll(/"(_id|[a-z][A-Za-z]*Id)":"([0-9a-f]{24})"/g)) {
        if (name !== '_id') add(name, id);
        else if (item !== undefined) add(item, id);
      }
    },
    /** The text with ids in the places that ask for one. */
    fill: (text: string): string =>
      text.replace(/\{([A-Za-z]+):(\d+)\}/g, (_, name: string, index: string) => {
        const ids = byName.get(name) ?? [];
        const unknown = name === 'npn' ? '17654321' : '65f0c1d2e3a4b5c6d7e8f901';
        return ids[Number(index) % ids.length] ?? unknown;
      }),
  };
}
