import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { statusNames } from '../../shared/domain/compliance/status.ts';
import type { StoredConfigVersion } from '../../shared/domain/compliance/stored.ts';
import type { CarrierIdentity } from '../../shared/domain/decision/carrier.ts';
import { configInForce } from '../../shared/domain/decision/configs.ts';
import type { Coverage } from '../../shared/domain/decision/coverage.ts';
import { type Answer, decide, type Party } from '../../shared/domain/decision/decide.ts';
import { changedProducts as changedProductsSchema } from '../../shared/domain/events/compliance-status-change.ts';
import type { PayloadOf } from '../../shared/domain/events/payloads.ts';
import { KB } from '../../shared/platform/aws/limits.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';

/** Products with the states that changed, as events carry them. */
export type ChangedProduct = PayloadOf<'AGENT_COMPLIANCE_STATUS_CHANGE'>[number]['products'][number];
type ChangedState = ChangedProduct['states'][number];
type StateCode = ChangedState['stateCode'];

type Compliance = Pick<Answer<unknown, unknown>, 'complianceStatus' | 'licenseStatus' | 'appointmentStatus'>;

/** The statuses of an NPN for every product and state that its carrier has configured. */
export interface ProductStatuses {
  readonly productId: string;
  readonly productName: string;
  readonly states: readonly (Compliance & { readonly stateCode: StateCode })[];
}

/** What was last reported of an NPN: for each product its name and, by state, the names of the three statuses. */
const reportedStatuses = z.record(
  z.string(),
  z.object({ productName: z.string(), states: z.record(z.string(), z.string()) }),
);

export type ReportedStatuses = z.output<typeof reportedStatuses>;

const reportedOfParties = storedItem('compliance/reported-statuses', () => ({
  agent: z.optional(reportedStatuses),
  agency: z.optional(reportedStatuses),
}));

/** What was last reported of who has an NPN, as an agent and as an agency; absent for who is not one. */
export type ReportedOfParties = z.output<typeof reportedOfParties>;

/** The versions of a product's config. */
export interface ConfiguredProduct {
  readonly productId: string;
  readonly versions: readonly [StoredConfigVersion, ...StoredConfigVersion[]];
}

export const statusesOf = (
  party: Party,
  configs: readonly ConfiguredProduct[],
  coverage: Coverage,
  carrier: CarrierIdentity,
  { day, knownAt }: { readonly day: CalendarDate; readonly knownAt: string },
): ProductStatuses[] =>
  configs.map(({ productId, versions }) => {
    const { productName, states } = configInForce(versions, day, knownAt).config;
    return {
      productId,
      productName,
      states: states.map(({ stateCode }) => {
        const question = { party, stateCode, day, knownAt, coverage, configs: versions, carrier };
        const { complianceStatus, licenseStatus, appointmentStatus } = decide(question);
        return { stateCode, complianceStatus, licenseStatus, appointmentStatus };
      }),
    };
  });

export const reported = (statuses: readonly ProductStatuses[]): ReportedStatuses =>
  Object.fromEntries(
    statuses.map(({ productId, productName, states }) => [
      productId,
      {
        productName,
        states: Object.fromEntries(states.map((state) => [state.stateCode, statusNames(state)])),
      },
    ]),
  );

/** A state that is no longer configured (OpenAPI, "AgentComplianceStatusChange"). */
const removed = (stateCode: string): ChangedState => ({
  stateCode: stateCode as StateCode,
  licenseStatus: { statusName: 'STATE_REMOVED' },
  appointmentStatus: { statusName: 'STATE_REMOVED' },
});

/** The differences from what was last reported, by product and state; products and states may be new or removed. */
export function changedProducts(
  before: ReportedStatuses,
  statuses: readonly ProductStatuses[],
): ChangedProduct[] {
  const current = new Map(statuses.map((product) => [product.productId, product]));
  const ids = [...current.keys(), ...Object.keys(before).filter((productId) => !current.has(productId))];
  return ids.flatMap((productId): ChangedProduct[] => {
    const was = before[productId];
    const is = current.get(productId);
    const configured = new Set<string>(is?.states.map(({ stateCode }) => stateCode));
    const states = [
      ...(is?.states ?? []).filter((state) => was?.states[state.stateCode] !== statusNames(state)),
      ...Object.keys(was?.states ?? {})
        .filter((stateCode) => !configured.has(stateCode))
        .map(removed),
    ];
    const productName = is?.productName ?? was?.productName ?? '';
    return states.length === 0 ? [] : [{ productId, productName, states }];
  });
}

const changedOfParties = storedItem('compliance/unsent', () => ({
  agent: changedProductsSchema,
  agency: changedProductsSchema,
}));

/** What changed for who has an NPN as an agent, and as an agency. */
export type Changed = z.output<typeof changedOfParties>;

const compressed = (value: object): Uint8Array => gzipSync(JSON.stringify(value));
const expanded = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString());

/** The beginning of a product's name: names can be long, and hundreds of them are in one item. */
const shortName = (name: string): string => [...name].slice(0, 60).join('');

/** Compressed, since an item does not take every state of hundreds of products. */
export function packedReport({ agent, agency }: ReportedOfParties): Uint8Array {
  const short = (statuses: ReportedStatuses | undefined) =>
    statuses &&
    Object.fromEntries(
      Object.entries(statuses).map(([productId, { productName, states }]) => [
        productId,
        { productName: shortName(productName), states },
      ]),
    );
  return compressed({ agent: short(agent), agency: short(agency) });
}

export const unpackedReport = (bytes: Uint8Array): ReportedOfParties =>
  parseStored(reportedOfParties, expanded(bytes));

/** The same, and smaller: what there is to say about statuses, in words that each config has its own of, is left out. */
const withoutMessages = ({ agent, agency }: Changed): Changed => {
  const short = (products: Changed['agent']) =>
    products.map(({ productId, productName, states }) => ({
      productId,
      productName: shortName(productName),
      states: states.map(({ licenseStatus, appointmentStatus, ...state }) => ({
        ...state,
        licenseStatus: { statusName: licenseStatus.statusName },
        appointmentStatus: { statusName: appointmentStatus.statusName },
      })),
    }));
  return { agent: short(agent), agency: short(agency) };
};

/** Bytes of what changed, compressed: with what is reported then, it is one item. */
const mostUnsent = 100 * KB;

/** Compressed; without messages where it would be too large with them. */
export function packed(changed: Changed): Uint8Array {
  const whole = compressed(changed);
  return whole.length > mostUnsent ? compressed(withoutMessages(changed)) : whole;
}

export const unpacked = (bytes: Uint8Array): Changed => parseStored(changedOfParties, expanded(bytes));

/** Bytes of an event's products: far below what the bus and a queue accept (`putEventsBytes`, `queueMessageBytes`). */
export const mostBytes = 200_000;

/** Bytes of a value in an event. */
export const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** The same products and states in parts that each fit into an event. */
export function inParts(products: readonly ChangedProduct[], most: number = mostBytes): ChangedProduct[][] {
  const parts: ChangedProduct[][] = [];
  let room = 0;
  for (const { states, ...product } of products) {
    let part = parts.at(-1);
    let open: ChangedProduct | undefined;
    for (const state of states) {
      const size = bytes(state);
      const withProduct = size + bytes({ ...product, states: [] });
      if (part === undefined || room < (open === undefined ? withProduct : size)) {
        part = [];
        parts.push(part);
        open = undefined;
        room = most;
      }
      if (open === undefined) {
        open = { ...product, states: [] };
        part.push(open);
        room -= withProduct;
      } else {
        room -= size;
      }
      open.states.push(state);
    }
  }
  return parts;
}
