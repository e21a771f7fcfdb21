/** The most answers that are remembered: a holder's records repeat few statuses, names, and times. */
const mostAnswers = 10_000;

/** A function that computes each answer once. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const answers = new Map<string, { readonly value: Value }>();
  return (text) => {
    const found = answers.get(text);
    if (found !== undefined) return found.value;
    if (answers.size >= mostAnswers) answers.clear();
    const value = compute(text);
    answers.set(text, { value });
    return value;
  };
}
