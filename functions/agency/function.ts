import { rowsInForce } from '#domain/decision/coverage.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import type { LicenseRequest } from '#domain/licensing/requests.ts';
import type { License } from '#domain/registry/resources.ts';
import { statusKindOf } from '#domain/registry/words.ts';
import { apiFunction } from '#function/api-function.ts';
import { existing, invalidAt } from '#platform/contract/errors.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { DomainError, foundAt } from '#platform/errors/domain-error.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { agencyActions } from './list-actions-required.ts';
import { agencyLists } from './lists.ts';
import { agencyRoutes } from './routes.ts';
import { type AgencySources, createAgencySources } from './store.ts';
import { uses } from './uses.ts';

const hasLine = ({ linesOfAuthority }: Pick<License, 'linesOfAuthority'>, lineCode: string): boolean =>
  linesOfAuthority.some(
    ({ status, code, name }) =>
      statusKindOf(status, 'license') === 'live' &&
      [code, name].some((word) => comparable(word) === comparable(lineCode)),
  );

/** Operations on license requests. */
const licenseRequestOperations = operationsOf(agencyRoutes, (sources: AgencySources) => ({
  /**
   * Requests a license or its renewal. Entity, producer and license are looked up concurrently.
   *
   * @throws ApiError `not_found` for an entity outside the organization; `validation_error` for an NPN that is neither the
   * entity's nor one of its producers', and a license that is not held; `conflict` while a request for the same is open, or the
   * license in force.
   */
  async createAgencyLicenseRequest({ identity, body, now, recordResponse }) {
    const { ownEntity, agency, registry, recordedHolders, classKindsOf, requests, stillOwn } = sources;
    const owner = identity.organizationId;
    const { downstreamEntityId, type, stateCode, licenseNumber, linesOfAuthority = [], notes = null } = body;
    if (type === 'new' && licenseNumber !== undefined) {
      throw invalidAt('licenseNumber', 'is only for renewals: a new license has no number yet');
    }
    if (type === 'renewal' && licenseNumber === undefined) {
      throw invalidAt('licenseNumber', 'is required for a renewal');
    }
    const [entity, ofProducer, holders] = await Promise.all([
      foundAt('downstreamEntityId', ownEntity(owner, downstreamEntityId)),
      body.npn === undefined ? undefined : agency.entitiesOfProducer(owner, body.npn),
      licenseNumber === undefined ? undefined : registry.npnsOfLicense(owner, stateCode, licenseNumber),
    ]);
    const npn = body.npn ?? entity.npn;
    if (npn === null) throw invalidAt('npn', 'is required: the entity has none');
    if (npn !== entity.npn && ofProducer?.includes(downstreamEntityId) !== true) {
      throw invalidAt('npn', 'is neither the entity’s nor that of one of its producers');
    }
    if (holders?.includes(npn) === false) {
      throw invalidAt(
        'licenseNumber',
        `is not the number of a license that the organization holds for ${npn} in ${stateCode}`,
      );
    }
    if (type === 'new') {
      const coverage = await recordedHolders.coverageOf(owner, npn, {
        classKinds: classKindsOf(owner),
        statesOf: () => [stateCode],
      });
      const licenses = rowsInForce(coverage.get(stateCode)?.licenses ?? [], newYorkDate(now));
      const active = licenses.find((license) => linesOfAuthority.every((code) => hasLine(license, code)));
      if (active !== undefined) {
        throw new DomainError('state_conflict', {
          message: `License ${active.licenseNumber} in ${stateCode} is in force with what is requested.`,
        });
      }
    }
    const requestedAt = now.toISOString();
    const request: LicenseRequest = {
      _id: newObjectId(now),
      downstreamEntityId,
      type,
      stateCode,
      npn,
      licenseNumber: licenseNumber ?? null,
      linesOfAuthority,
      notes,
      status: 'submitted',
      statusHistory: [{ status: 'submitted', at: requestedAt }],
      createdAt: requestedAt,
      updatedAt: requestedAt,
    };
    await requests.create(owner, request, [stillOwn(owner, downstreamEntityId), ...recordResponse(request)]);
    return request;
  },

  /** @throws ApiError `not_found` for an unknown or foreign request. */
  async getAgencyLicenseRequest({ identity, params }) {
    return existing(await sources.requests.find(identity.organizationId, params.licenseRequestId));
  },

  /** @throws DomainError `not_found`; `state_conflict` for a request with a final status. */
  async cancelAgencyLicenseRequest({ identity, params: { licenseRequestId }, now, recordResponse }) {
    const { organizationId } = identity;
    const furtherItems = (canceledRequest: LicenseRequest) => [
      sources.stillOwn(organizationId, canceledRequest.downstreamEntityId),
      ...recordResponse(canceledRequest),
    ];
    return sources.requests.move(organizationId, licenseRequestId, 'canceled', now, furtherItems);
  },
}));

/** Serves the routes of an agency's own records. */
export const agencyFunction = apiFunction({
  uses,
  operations: (resources) => {
    const sources = createAgencySources(resources);
    return {
      ...agencyLists(sources),
      ...licenseRequestOperations(sources),
      ...agencyActions(sources),
    };
  },
  services: writeServices,
});
