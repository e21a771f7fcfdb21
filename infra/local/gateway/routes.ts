/** A resource of the API: a path template and what serves each of its methods. */
export interface GatewayResource<Method> {
  readonly path: string;
  /** By HTTP method in upper case; `ANY` serves the others. */
  readonly methods: ReadonlyMap<string, Method>;
}

/** A path with invalid percent-encoding. */
export class MalformedPathError extends Error {
  override readonly name = 'MalformedPathError';
}

/** A path as API Gateway compares it: without slashes at its end and further ones at its start. */
const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** A template as a pattern: `{id}` is one segment that is not empty, and `{proxy+}` all that follow. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${trimmed(template)
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)\+\}/, '(?<$1>.+)')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
  );

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new MalformedPathError(`The path is not validly percent-encoded: ${value}`);
  }
}

/** Sorts by what API Gateway prefers at each segment: literals, then parameters, then greedy parameters. */
const rankOf = (template: string): string =>
  trimmed(template).replace(/\/?[^/]+/g, (segment) =>
    segment.endsWith('+}') ? 'c' : segment.endsWith('}') ? 'b' : 'a',
  );

/**
 * Finds the resource for a path as API Gateway does: the most specific template wins, regardless of its methods, and a
 * greedy template matches what no other does.
 *
 * @throws MalformedPathError
 */
export function createRouter<Method>(resources: readonly GatewayResource<Method>[]) {
  const templates = resources
    .map((resource) => ({ resource, rank: rankOf(resource.path), pattern: patternOf(resource.path) }))
    .sort((one, other) => one.rank.localeCompare(other.rank));

  return (method: string, path: string) => {
    const given = trimmed(path);
    for (const { resource, pattern } of templates) {
      const match = pattern.exec(given);
      if (match === null) continue;
      const parameters = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]);
      return {
        resource,
        method: resource.methods.get(method) ?? resource.methods.get('ANY'),
        /** Decoded values; undefined where the template has no parameter. */
        pathParameters: parameters.length === 0 ? undefined : Object.fromEntries(parameters),
      };
    }
    return undefined;
  };
}
