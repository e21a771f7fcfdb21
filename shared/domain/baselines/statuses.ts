import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { type Compliance, statusesOf as statusesOfParty, statusNames } from '../compliance/status.ts';
import type { StoredConfigVersion } from '../compliance/stored.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import { configInForce } from '../decision/configs.ts';
import type { Coverage } from '../decision/coverage.ts';
import type { Party } from '../decision/decide.ts';
import type { License } from '../registry/license.ts';

type Statuses = Pick<Compliance, 'complianceStatus' | 'licenseStatus' | 'appointmentStatus'>;

/** The statuses of an NPN for every product and state that its carrier has configured. */
export interface ProductStatuses {
  readonly productId: string;
  readonly productName: string;
  readonly states: readonly (Statuses & { readonly stateCode: License['stateCode'] })[];
}

/** The same, with the days to come from which an appointment is overdue in one of the states. */
export interface DatedStatuses extends ProductStatuses {
  readonly overdueFrom: readonly CalendarDate[];
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
): DatedStatuses[] =>
  configs.map(({ productId, versions }) => {
    const { productName, states } = configInForce(versions, day, knownAt).config;
    const found = states.map(({ stateCode }) => {
      const question = { party, stateCode, day, knownAt, coverage, configs: versions, carrier };
      return { stateCode, ...statusesOfParty(question) };
    });
    return {
      productId,
      productName,
      states: found.map(({ stateCode, status: { complianceStatus, licenseStatus, appointmentStatus } }) => ({
        stateCode,
        complianceStatus,
        licenseStatus,
        appointmentStatus,
      })),
      overdueFrom: found.flatMap(({ overdueFrom }) => overdueFrom ?? []),
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

/** The states of which two reports have other statuses. */
export const differences = (before: ReportedStatuses, after: ReportedStatuses) =>
  Object.entries(before).flatMap(([productId, { productName, states }]) =>
    Object.entries(states).flatMap(([stateCode, was]) => {
      const is = after[productId]?.states[stateCode];
      return is === undefined || is === was ? [] : [{ productId, productName, stateCode, was, is }];
    }),
  );

export const compressed = (value: object): Uint8Array => gzipSync(JSON.stringify(value));
export const expanded = (bytes: Uint8Array): unknown => JSON.parse(gunzipSync(bytes).toString());

/** The beginning of a product's name: names can be long, and hundreds of them are in one item. */
export const shortName = (name: string): string => [...name].slice(0, 60).join('');

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
