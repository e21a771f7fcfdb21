import type { Route } from './route.ts';

/** When v1 was deprecated (RFC 9745), in Unix seconds. */
export const v1DeprecatedAt = Date.UTC(2026, 10, 21) / 1_000;

type PathOfV1<Path extends string> = Path extends `/v2/upstream/${infer Rest}`
  ? `/v1/${Rest}`
  : Path extends `/v2/${infer Rest}`
    ? `/v1/${Rest}`
    : never;

/**
 * The row of v1 for a row of v2, which differs in its path and the columns of `own`. v1 is frozen (OpenAPI, "Versions"):
 * `test/contract/v1.json` records it, and a column of `own` leaves out what v2 gains. Both can share an operation, since a
 * response drops the fields that its schema does not name.
 */
export const v1 = <
  const R extends Route & { readonly path: `/v2/${string}` },
  const Own extends Partial<Omit<Route, 'method' | 'path' | 'successor'>> = Record<never, never>,
>(
  route: R,
  own?: Own,
): Omit<R, 'path' | 'successor' | keyof NoInfer<Own>> &
  NoInfer<Own> & { readonly path: PathOfV1<R['path']>; readonly successor: R['path'] } => ({
  ...route,
  ...(own as Own),
  successor: route.path,
  path: route.path.replace(/^\/v2\/(upstream\/)?/, '/v1/') as PathOfV1<R['path']>,
});
