import type * as z from 'zod/mini';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { answerOf } from '../../shared/domain/sale-checks/answer.ts';
import {
  classKindsAmong,
  coveragesOf,
  type ResolvedCheck,
  readHolders,
} from '../../shared/domain/sale-checks/material.ts';
import type { AskedCheck } from '../../shared/domain/sale-checks/resource.ts';
import { MB } from '../../shared/platform/aws/limits.ts';
import { invalid, tooLarge } from '../../shared/platform/contract/errors.ts';
import { readOrThrow } from '../../shared/platform/data/stored.ts';
import { newYorkDate, yearAfter } from '../../shared/platform/dates/calendar.ts';
import type { SaleCheckOperation } from './deps.ts';
import { divided } from './receipts.ts';
import { createProductOf, findNamed, resolve } from './resolve.ts';
import type { saleCheckRequest } from './routes.ts';

type Request = z.output<typeof saleCheckRequest>;

/** Bytes of a request's answers. */
const longestAnswers = 4 * MB;

/**
 * What the checks ask about beside whom: the moment whose knowledge counts, and the day of each.
 * @throws ApiError `validation_error` for a day more than a year ahead, and a moment to come.
 */
function askedMoments({ checks, asOf, knownAt }: Request, now: Date) {
  const moment = momentOf({ knownAt }, now);
  const last = yearAfter(newYorkDate(now));
  const tooLate = [
    { path: 'asOf', day: asOf },
    ...checks.map(({ date }, index) => ({ path: `checks[${index}].date`, day: date })),
  ].filter(({ day }) => day !== undefined && day > last);
  if (tooLate.length > 0)
    throw invalid(...tooLate.map(({ path }) => ({ path, message: 'must not be more than a year ahead' })));
  return {
    knownAt: moment.knownAt,
    asOf: asOf ?? moment.day,
    dayOf: ({ date }: AskedCheck) => ({
      date: date ?? asOf ?? moment.day,
      isPresent: date === undefined && asOf === undefined && moment.isPresent,
    }),
  };
}

/**
 * Whether producers may sell (OpenAPI, "May she sell?"). At most four reads, two for each seller, agency, and company, one for each
 * product that is judged by another version than today's, and one write for a receipt.
 *
 * @throws ApiError `validation_error` as `askedMoments`, and 413 for answers, or a receipt, that would be too large.
 */
export const checkSales: SaleCheckOperation<'checkSales'> = async (
  { identity: { organizationId: owner }, body, now, recordResponse },
  { tables, recordedFacts, complianceConfigs, carrierOf, classKindsOf, issueReceipt },
) => {
  const { knownAt, asOf, dayOf } = askedMoments(body, now);
  const [{ verifiedWithinDays, policiesNameAgents: _, ...carrier }, allKinds, products, named] =
    await Promise.all([
      carrierOf(owner),
      classKindsOf(owner),
      complianceConfigs.products(owner, now),
      findNamed(owner, body.checks, tables),
    ]);
  const productOf = createProductOf(products);
  const resolved = body.checks.map((asked): ResolvedCheck => {
    const { reference = null, stateCode } = asked;
    return { reference, stateCode, ...dayOf(asked), ...resolve(asked, named, productOf) };
  });
  const daysOf = new Map(
    products.map(({ productId, head }) => [
      head,
      resolved.flatMap(({ product, date }) => (product?.productId === productId ? [date] : [])),
    ]),
  );
  const [holders, versions] = await Promise.all([
    readHolders(recordedFacts, owner, resolved),
    complianceConfigs.versions(owner, daysOf, knownAt),
  ]);
  const classKinds = classKindsAmong(allKinds, holders, knownAt);
  const material = {
    knownAt,
    today: newYorkDate(now),
    carrier,
    verifiedWithinDays,
    classKinds,
    configsOf: (productId: string) => readOrThrow(versions.get(productId)) ?? [],
    coverageOf: coveragesOf(holders, knownAt, classKinds),
  };
  const checks = resolved.map((check) => answerOf(check, material));
  if (Buffer.byteLength(JSON.stringify(checks)) > longestAnswers) {
    throw tooLarge('The answers would be larger than 4 MB.', { instead: divided });
  }
  if (body.receipt !== true) return { checks };
  const used = { organizationId: owner, asOf, asked: body.checks, resolved, checks, holders, material };
  return issueReceipt(used, now, recordResponse);
};

/** The public halves of the keys that sign receipts, or signed them once. */
export const getReceiptKeys: SaleCheckOperation<'getReceiptKeys'> = async (_request, { receiptKeys }) => ({
  keys: [...(await receiptKeys.publicKeys())],
});
