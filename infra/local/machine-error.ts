/** A problem of this machine that the developer has to fix; printed as one sentence, without a stack trace. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}
