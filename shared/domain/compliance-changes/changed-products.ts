import type * as z from 'zod/mini';
import { KB } from '../../platform/aws/limits.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import {
  compressed,
  expanded,
  type ProductStatuses,
  type ReportedStatuses,
  shortName,
} from '../baselines/statuses.ts';
import { statusNames } from '../compliance/status.ts';
import { changedProducts as changedProductsSchema } from '../events/compliance-status-change.ts';
import type { PayloadOf } from '../events/payloads.ts';

/** Products with the states that changed, as events carry them. */
export type ChangedProduct = PayloadOf<'AGENT_COMPLIANCE_STATUS_CHANGE'>[number]['products'][number];
type ChangedState = ChangedProduct['states'][number];
type StateCode = ChangedState['stateCode'];

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
