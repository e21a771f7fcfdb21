/** One fault of the caller's input: where it is, what is wrong, and for an enum the values that are accepted. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly accepted?: readonly (string | number)[];
}

/** Issues as one sentence: `email: is taken; associations: are too many`. */
export const issuesText = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
