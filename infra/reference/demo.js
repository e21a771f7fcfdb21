/** @type {Promise<object | null> | undefined} */
let asked;

/** The demo’s credentials and ids, which the local run has: null in AWS, and in a run that was started without demo data. */
export function demo() {
  asked ??= fetch(new URL('../docs/demo.json', import.meta.url)).then((response) =>
    response.ok ? response.json() : null,
  );
  return asked;
}

/** @type {Map<string, Promise<string>>} */
const tokens = new Map();

async function exchange(side) {
  const { clientId, clientSecret } = (await demo())[side];
  const response = await fetch('/v2/auth/jwt', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  if (!response.ok) throw new Error(`The token endpoint answered ${response.status}.`);
  return (await response.json()).data.accessToken;
}

/**
 * An access token of the demo’s carrier (`upstream`) or agency (`downstream`).
 *
 * @param {string} side
 */
export function accessToken(side) {
  let token = tokens.get(side);
  if (token === undefined) {
    token = exchange(side);
    tokens.set(side, token);
    token.catch(() => tokens.delete(side));
  }
  return token;
}

/**
 * Calls the API as one side of the demo, with a new token if the last one has expired.
 *
 * @param {string} side
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function callAs(side, path, options = {}) {
  const withToken = async () => {
    const authorization = `Bearer ${await accessToken(side)}`;
    return fetch(path, { ...options, headers: { ...options.headers, authorization } });
  };
  const response = await withToken();
  if (response.status !== 401) return response;
  tokens.delete(side);
  return withToken();
}
