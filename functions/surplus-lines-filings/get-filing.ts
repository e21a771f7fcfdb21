import { ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import { type FoundFiling, filingView, filingViewV1 } from '../../shared/domain/filings/view.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { ApiRequest, Operation } from '../../shared/platform/request/operation.ts';
import { type FilingDeps, linkFiles, ownFiling } from './change-filing.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

type Routes = typeof surplusLinesFilingRoutes.routes;

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted filing. */
export const getFiling: Operation<Routes['getFiling'], FilingDeps> = async (request, deps) =>
  filingView(await found(request, deps), linkFiles(deps.objectStore, request.now));

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted filing. */
export const getFilingV1: Operation<Routes['getFilingV1'], FilingDeps> = async (request, deps) =>
  filingViewV1(await found(request, deps), linkFiles(deps.objectStore, request.now));

async function found(
  { identity, params }: Pick<ApiRequest<Routes['getFiling']>, 'identity' | 'params'>,
  { filings, movesOf }: FilingDeps,
): Promise<FoundFiling> {
  const filing = await ownFiling(filings, identity, params.filingId, ownershipOf(identity, movesOf));
  if (filing === undefined) throw notFound();
  return filing;
}
