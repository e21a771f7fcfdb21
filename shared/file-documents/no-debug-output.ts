/**
 * Stands in for the package `debug` in the bundles (`infra/build/bundling.mjs`): a function has no terminal to debug at, and
 * the package costs 8 KB.
 */
const silent = (): ((...told: readonly unknown[]) => void) => () => {};

export default silent;
