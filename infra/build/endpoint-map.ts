/**
 * Replaces the LRU cache of the SDK's endpoint discovery in the bundles (`infra/build/bundling.mjs`): functions do not use
 * discovery, so nothing is ever cached, and the package for it costs 7 KB.
 */
export default class EndpointMap extends Map<string, unknown> {
  constructor(_capacity: number) {
    super();
  }

  peek(key: string): unknown {
    return this.get(key);
  }
}
