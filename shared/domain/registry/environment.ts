/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatorAddress = 'simulator';
