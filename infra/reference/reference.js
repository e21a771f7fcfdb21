// Starts the reference: Scalar, which the build puts before this, with the API's document. In the local run, its requests have the
// demo's credentials.
const isLocalRun = /^(127\.0\.0\.1|localhost|\[::1\])$/.test(location.hostname);
/** The demo's organizations; null in AWS, and in a run that was started without demo data. */
const demo = isLocalRun ? await (await fetch(new URL('demo.json', import.meta.url))).json() : null;

/** The credentials of an organization of the demo, by the header that takes them. */
async function credentialsOf({ clientId, clientSecret, restrictedToken }) {
  const response = await fetch('/v2/auth/jwt', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  });
  const { data } = await response.json();
  return { authorization: `Bearer ${data?.accessToken}`, 'x-restricted-access-token': restrictedToken };
}

/** What the local run configures: the carrier's credentials are filled in, and the agency's take their place where it calls. */
async function demoConfiguration() {
  const [carrier, agency] = await Promise.all([demo.upstream, demo.downstream].map(credentialsOf));
  return {
    authentication: {
      securitySchemes: {
        accessToken: { token: carrier.authorization.replace('Bearer ', '') },
        restrictedAccessToken: { value: carrier['x-restricted-access-token'] },
      },
    },
    customFetch(input, init) {
      const request = new Request(input, init);
      for (const [name, value] of Object.entries(carrier)) {
        const isAgencys = new URL(request.url).pathname.startsWith('/v2/downstream/');
        if (isAgencys && request.headers.get(name) === value) request.headers.set(name, agency[name]);
      }
      return fetch(request);
    },
  };
}

const content = await (await fetch(new URL('../v2/openapi.json', import.meta.url))).json();
const operations = Object.values(content.paths).flatMap((methods) => Object.values(methods));
for (const parameter of [
  ...operations.flatMap(({ parameters = [] }) => parameters),
  ...Object.values(content.components.parameters ?? {}),
]) {
  // Scalar would send every parameter that has an example, also filters that exclude each other.
  if (parameter.in !== 'query' || parameter.required) continue;
  parameter.examples = { example: { value: parameter.schema.examples?.[0] ?? '', 'x-disabled': true } };
}

const element = document.getElementById('reference');
// Scalar would take what is there for its own.
element.replaceChildren();
globalThis.Scalar.createApiReference(element, {
  content,
  // Nothing is loaded from elsewhere, and no request goes through a proxy or into another application.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  ...(demo && (await demoConfiguration())),
});
