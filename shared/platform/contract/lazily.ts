/**
 * Builds a value when it is first asked for, and once: what only some requests need does not take time at a function's start.
 */
export function lazily<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
