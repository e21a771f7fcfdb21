import { call, newOrganization, type Organization } from './local-api.ts';

/** Paths of the routes of associations. */
export const path = '/v2/upstream/downstream-entity-associations';
export const v1 = '/v1/downstream-entity-associations';

/** A new carrier. */
export const carrier = (): Promise<Organization> => newOrganization('upstreamEntity');

/** The record in an answer. */
export const dataOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>;
/** The records in an answer. */
export const rowsOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>[];

/** Reads as an organization. */
export const get = (owner: Organization, at: string) => call('GET', at, { headers: owner.bearer });
