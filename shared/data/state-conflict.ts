/** The stored state does not admit a change, and trying again does not help; the message says why, to the caller. */
export class StateConflict extends Error {
  override readonly name: string = 'StateConflict';
}
