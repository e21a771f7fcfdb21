// What is made with its first use: a function starts without it. Apart from all schemas and clients that are made so.

/**
 * Builds a value when it is first asked for, and once: what only some requests need does not take time at a function's start.
 */
export function lazily<Value>(build: () => Value): () => Value {
  let cache: { readonly value: Value } | undefined;
  return () => {
    cache ??= { value: build() };
    return cache.value;
  };
}

/**
 * Some methods of what is imported and made with the first call of one of them: what only some requests need, such as a second
 * client, does not take time at a function's start.
 */
export function importOnUse<
  Name extends string,
  Made extends Readonly<Record<Name, (...call: never[]) => Promise<unknown>>>,
>(load: () => Promise<Made>, ...names: readonly Name[]): Pick<Made, Name> {
  const loadModule = lazily(load);
  const methodOf =
    (name: Name) =>
    async (...call: never[]) =>
      (await loadModule())[name](...call);
  return Object.fromEntries(names.map((name) => [name, methodOf(name)])) as unknown as Pick<Made, Name>;
}
