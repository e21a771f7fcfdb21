import * as z from 'zod/mini';
import { type Compliance, complianceOf } from '../../shared/compliance/status.ts';
import type { CalendarDate } from '../../shared/dates/calendar.ts';
import type { PayloadOf } from '../../shared/events/payloads.ts';
import type { Appointment } from '../../shared/resources/appointment.ts';
import type { ComplianceConfig } from '../../shared/resources/compliance.ts';
import type { License } from '../../shared/resources/license.ts';

/** Products with the states that changed, as events carry them. */
export type ChangedProduct = PayloadOf<'AGENT_COMPLIANCE_STATUS_CHANGE'>[number]['products'][number];
type ChangedState = ChangedProduct['states'][number];
type StateCode = ChangedState['stateCode'];

/** What is known of an NPN in the registry. */
export interface Held {
  readonly licenses: readonly License[];
  readonly appointments: readonly Appointment[];
}

export const nothingHeld: Held = { licenses: [], appointments: [] };

/** The statuses of an NPN for every product and state that its carrier asks about. */
export interface ProductStatuses {
  readonly productId: string;
  readonly productName: string;
  readonly states: readonly (Compliance & { readonly stateCode: StateCode })[];
}

/** What was last reported of an NPN: of each product its name and, by state, the names of the three statuses. */
export const reportedStatuses = z.record(
  z.string(),
  z.object({ productName: z.string(), states: z.record(z.string(), z.string()) }),
);

export type ReportedStatuses = z.output<typeof reportedStatuses>;

export const statusesOf = (
  configs: readonly ComplianceConfig[],
  held: Held,
  today: CalendarDate,
): ProductStatuses[] =>
  configs.map((config) => ({
    productId: config.productId,
    productName: config.productName,
    states: config.states.map(({ stateCode }) => ({
      stateCode,
      ...complianceOf({ config, stateCode, ...held, today }),
    })),
  }));

/** Names alone: what there is to say about a status may be put differently without its having changed. */
const names = ({ complianceStatus, licenseStatus, appointmentStatus }: Compliance): string =>
  [complianceStatus, licenseStatus.statusName, appointmentStatus.statusName].join('/');

export const reported = (statuses: readonly ProductStatuses[]): ReportedStatuses =>
  Object.fromEntries(
    statuses.map(({ productId, productName, states }) => [
      productId,
      { productName, states: Object.fromEntries(states.map((state) => [state.stateCode, names(state)])) },
    ]),
  );

/** A state that is no longer asked about (OpenAPI, "AgentComplianceStatusChange"). */
const removed = (stateCode: string): ChangedState => ({
  stateCode: stateCode as StateCode,
  licenseStatus: { statusName: 'STATE_REMOVED' },
  appointmentStatus: { statusName: 'STATE_REMOVED' },
});

/** What differs from what was last reported, by product and state; products and states may have come or gone. */
export function changedProducts(
  before: ReportedStatuses,
  statuses: readonly ProductStatuses[],
): ChangedProduct[] {
  const known = new Map(statuses.map((product) => [product.productId, product]));
  const ids = [...known.keys(), ...Object.keys(before).filter((productId) => !known.has(productId))];
  return ids.flatMap((productId): ChangedProduct[] => {
    const was = before[productId];
    const is = known.get(productId);
    const asked = new Set<string>(is?.states.map(({ stateCode }) => stateCode));
    const states = [
      ...(is?.states ?? []).filter((state) => was?.states[state.stateCode] !== names(state)),
      ...Object.keys(was?.states ?? {})
        .filter((stateCode) => !asked.has(stateCode))
        .map(removed),
    ];
    const productName = is?.productName ?? was?.productName ?? '';
    return states.length === 0 ? [] : [{ productId, productName, states }];
  });
}

/** What one event may carry: the bus takes 256 KB, the envelope and the entity's own fields among them. */
export const mostBytes = 200_000;

/** What a value takes in an event. */
export const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** The same products and states in parts of which each fits an event. */
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
