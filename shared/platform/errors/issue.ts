/** One fault of the caller's input: where it is, what is wrong, and of an enum's value or an unknown key what is accepted. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly accepted?: readonly (string | number)[];
}

/** Issues as one sentence: `email: is taken; associations: are too many`. */
export const issuesText = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');

/** Most issues that a refusal names: a request can have hundreds of thousands. */
export const mostIssues = 20;

/** The first issues, and how many more there are. */
export const firstIssues = (issues: readonly Issue[], total = issues.length): Issue[] => {
  const named = issues.slice(0, mostIssues);
  return total > named.length ? [...named, { path: '', message: `and ${total - named.length} more` }] : named;
};
