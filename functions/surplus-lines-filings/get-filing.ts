import { ownershipOf } from '../../shared/domain/downstream-entities/own-records.ts';
import { filingView } from '../../shared/domain/filings/view.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { type FilingDeps, linkFiles, ownFiling } from './change-filing.ts';
import type { surplusLinesFilingRoutes } from './routes.ts';

type Routes = typeof surplusLinesFilingRoutes.routes;

/** @throws ApiError `not_found` for an unknown, foreign or soft-deleted filing. */
export const getFiling: Operation<Routes['getFiling'], FilingDeps> = async (
  { identity, params, now },
  { filings, movesOf, objectStore },
) => {
  const found = await ownFiling(filings, identity, params.filingId, ownershipOf(identity, movesOf));
  if (found === undefined) throw notFound();
  return filingView(found, linkFiles(objectStore, now));
};
