/** What the `REGISTRY_ADDRESS` of a registry begins with that answers reports in XML. */
export const reportPrefix = 'report:';

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatedAddress = 'simulated';
