/**
 * Stands in for the SDK's cache of discovered endpoints in the bundles (`infra/build/bundling.mjs`): no function's client
 * discovers endpoints, and the cache brings a library of 8 KB.
 */
export class EndpointCache {
  get(): undefined {
    return undefined;
  }

  getEndpoint(): undefined {
    return undefined;
  }

  has(): boolean {
    return false;
  }

  set(): void {
    throw new Error('Endpoint discovery is not part of the bundles; see infra/build/bundling.mjs.');
  }

  delete(): void {}

  clear(): void {}
}
