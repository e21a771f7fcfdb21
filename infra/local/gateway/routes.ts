/** A resource of the API: a path template and what serves each of its methods. */
export interface GatewayResource<Method> {
  readonly path: string;
  /** By HTTP method in upper case; `ANY` serves the others. */
  readonly methods: ReadonlyMap<string, Method>;
}

interface Segment {
  readonly kind: 'literal' | 'parameter' | 'greedy';
  readonly text: string;
}

/** A path with invalid percent-encoding. */
export class MalformedPathError extends Error {
  override readonly name = 'MalformedPathError';
}

/**
 * The segments of a path. API Gateway ignores slashes at its end and further ones at its start; others make an empty segment,
 * which no literal and no parameter matches.
 */
const segmentsOf = (path: string): string[] => {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split('/');
};

function readSegment(source: string): Segment {
  const parameter = /^\{(.+?)(\+?)\}$/.exec(source);
  if (parameter === null) return { kind: 'literal', text: source };
  return { kind: parameter[2] === '+' ? 'greedy' : 'parameter', text: parameter[1] ?? '' };
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new MalformedPathError(`The path is not validly percent-encoded: ${value}`);
  }
}

/** Sorts by what API Gateway prefers at each segment: literals, then parameters, then greedy parameters. */
const rank = (segments: readonly Segment[]): string =>
  segments.map(({ kind }) => (kind === 'literal' ? 'a' : kind === 'parameter' ? 'b' : 'c')).join('');

/**
 * Finds the resource for a path as API Gateway does: the most specific template wins, regardless of its methods, and a
 * greedy template matches what no other does.
 *
 * @throws MalformedPathError
 */
export function createRouter<Method>(resources: readonly GatewayResource<Method>[]) {
  const templates = resources
    .map((resource) => ({ resource, segments: segmentsOf(resource.path).map(readSegment) }))
    .map((template) => ({ ...template, rank: rank(template.segments) }))
    .sort((one, other) => one.rank.localeCompare(other.rank));

  return (method: string, path: string) => {
    const given = segmentsOf(path);
    for (const { resource, segments } of templates) {
      const isGreedy = segments.at(-1)?.kind === 'greedy';
      if (isGreedy ? given.length < segments.length : given.length !== segments.length) continue;
      const fits = segments.every(
        ({ kind, text }, index) =>
          kind === 'greedy' || (kind === 'literal' ? text === given[index] : given[index] !== ''),
      );
      if (!fits) continue;
      const parameters = segments.flatMap((segment, index): [string, string][] => {
        if (segment.kind === 'literal') return [];
        const value = segment.kind === 'greedy' ? given.slice(index).join('/') : (given[index] ?? '');
        return [[segment.text, decode(value)]];
      });
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
