/** A condition of this machine that the developer has to change; told as one sentence, without a stack. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}
