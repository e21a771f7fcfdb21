// A form that sends a request of the reference: with a token that the reader has, or in the local run as the demo’s carrier or
// agency.
import { accessToken, callAs, demo } from './demo.js';
import { breakable, choice, element, labeled, pretty } from './dom.js';

/** Characters of a response that are shown; a list without paging can have megabytes. */
const shownCharacters = 100_000;

const sides = [
  ['upstream', 'Carrier (upstream)'],
  ['downstream', 'Agency (downstream)'],
];

/** The schema that a reference points to, or the schema itself. */
const resolved = (schema, components) =>
  schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').pop()];

/** A field for a path or query parameter: a choice where only some values are possible. */
function parameterField({ name, required, schema }, components, value = '') {
  const { type, enum: listed, examples, default: preset } = resolved(schema, components) ?? {};
  const values = type === 'boolean' ? ['true', 'false'] : listed;
  if (values === undefined) {
    return element('input', { name, required, value, placeholder: String(preset ?? examples?.[0] ?? '') });
  }
  const options = required ? values : ['', ...values];
  return choice(
    options.map((one) => [one, one || 'any']),
    { name, required, value: value || options[0] },
  );
}

/** Path with its parameters replaced, and the query of those that have a value. */
function addressOf(path, parameters, form) {
  const given = (name) => form.elements.namedItem(name).value.trim();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given(name)));
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    if (place === 'query' && given(name) !== '') query.set(name, given(name));
  }
  // The API may be below the name of its stage, as the folder of this script is.
  return new URL(query.size === 0 ? `..${filled}` : `..${filled}?${query}`, import.meta.url).href;
}

/**
 * The id of the first record in the list before a path’s parameter, which makes a request that succeeds; undefined if there
 * is no such list, or nothing in it.
 */
async function firstIdOf(side, name, list, address, paths) {
  if (paths[list]?.get === undefined) return undefined;
  const response = await callAs(side, address);
  if (!response.ok) return undefined;
  const { data } = await response.json();
  const first = (Array.isArray(data) ? data : (data.items ?? data.transactions))?.[0];
  // An `agentId` is the `_id` of the item, or of the `agent` in it.
  return first?._id ?? first?.[name] ?? first?.[name.replace(/Id$/, '')]?._id;
}

/** Fills the parameters of the path, from left to right, with ids of the demo. */
async function fillIds(side, { path, paths }, parameters, form) {
  for (const { name, in: place } of parameters) {
    if (place !== 'path') continue;
    const field = form.elements.namedItem(name);
    if (field.value !== '') continue;
    const [list] = path.split(`/{${name}}`);
    const id = await firstIdOf(side, name, list, addressOf(list, [], form), paths);
    field.value ||= id ?? (await demo())[name] ?? '';
  }
}

/** Which side may call an operation: its path says so. */
const sideOf = (path) => (path.startsWith('/v2/downstream') ? 'downstream' : 'upstream');

function resultOf(response, text, milliseconds) {
  const shown = pretty(text);
  const rest = shown.length - shownCharacters;
  const headers = Array.from(response.headers, ([name, value]) => `${name}: ${value}`).join('\n');
  return [
    element(
      'p',
      { className: response.ok ? 'status good' : 'status bad' },
      `${response.status} ${response.statusText}`,
      element('small', {}, `${Math.round(milliseconds)} ms`),
    ),
    element(
      'pre',
      { className: 'payload body' },
      rest > 0 ? `${shown.slice(0, shownCharacters)}\n… ${rest} more` : shown,
    ),
    element(
      'details',
      {},
      element('summary', {}, 'Headers'),
      element('pre', { className: 'payload' }, headers),
    ),
  ];
}

/** The media type of a body: the first one, which is JSON unless the operation takes a form only. */
const mediaTypeOf = ({ requestBody }) => Object.keys(requestBody?.content ?? {})[0];

/** Tokens that the reader has pasted, by the header that they are sent in, so that each is pasted once. */
const pasted = {};

/** The fields for a credential: whose of the demo, or one that the reader has. */
function credentialFields(path, { header }, isDemo) {
  if (isDemo) {
    return [
      labeled('Organization', choice(sides, { name: 'side', value: sideOf(path) })),
      labeled(header, element('input', { name: 'token', className: 'token', readOnly: true })),
    ];
  }
  const given = {
    name: 'token',
    className: 'token',
    required: true,
    autocomplete: 'off',
    value: pasted[header] ?? '',
  };
  const token = element('input', { ...given, placeholder: 'A token of your own' });
  token.addEventListener('input', () => {
    pasted[header] = token.value;
  });
  return [labeled(`${header} *`, token)];
}

/** The fields of a form: who calls, with which token, the parameters, and the body. */
function fieldsOf({ path, operation, components }, parameters, methods, preset, isDemo) {
  const example = operation.requestBody?.content[mediaTypeOf(operation)].example;
  const named = parameters.map((parameter) =>
    labeled(
      parameter.required ? `${parameter.name} *` : parameter.name,
      parameterField(parameter, components, preset.parameters?.[parameter.name]),
    ),
  );
  const body = element('textarea', {
    name: 'body',
    rows: 8,
    spellcheck: false,
    value: JSON.stringify({ ...example, ...preset.body }, null, 2),
  });
  return [
    ...(methods.isPublic ? [] : credentialFields(path, methods, isDemo)),
    ...named,
    ...(example === undefined ? [] : [labeled('Body (JSON)', body)]),
  ];
}

/** How an operation authenticates. An operation that accepts both kinds of credentials gets an access token. */
function methodsOf({ security }) {
  const accepted = security?.map((requirement) => Object.keys(requirement)[0]);
  const isRestricted = accepted?.length === 1 && accepted[0] === 'restrictedAccessToken';
  return {
    isPublic: accepted?.length === 0,
    isRestricted,
    header: isRestricted ? 'x-restricted-access-token' : 'authorization',
  };
}

async function showToken(form, { isRestricted }) {
  const side = form.elements.namedItem('side').value;
  const token = isRestricted ? (await demo())[side].restrictedToken : `Bearer ${await accessToken(side)}`;
  form.elements.namedItem('token').value = token;
}

/** Sends what the form says. */
function send(form, { method, path, parameters, methods, operation }) {
  const body = form.elements.namedItem('body')?.value.trim();
  const mediaType = mediaTypeOf(operation);
  const token = form.elements.namedItem('token')?.value.trim();
  const options = {
    method,
    ...(body
      ? { body: mediaType === 'application/json' ? body : new URLSearchParams(JSON.parse(body)) }
      : {}),
    headers: {
      ...(body ? { 'content-type': mediaType } : {}),
      ...(token
        ? { [methods.header]: methods.isRestricted ? token : `Bearer ${token.replace(/^Bearer /i, '')}` }
        : {}),
    },
  };
  const address = addressOf(path, parameters, form);
  const side = form.elements.namedItem('side')?.value;
  return side === undefined || methods.isRestricted
    ? fetch(address, options)
    : callAs(side, address, options);
}

/**
 * Opens the form of an operation.
 *
 * @param {{ path: string, method: string, operation: object, components: object, paths: object }} given
 */
export async function openForm(given) {
  const { path, method, operation } = given;
  const methods = methodsOf(operation);
  const known = await demo();
  const preset = known?.tryIt[operation.operationId] ?? {};
  const parameters = (operation.parameters ?? []).filter(
    ({ in: place }) => place === 'path' || place === 'query',
  );
  const close = element('button', { className: 'button', type: 'button', ariaLabel: 'Close' }, '✕');
  const submit = element('button', { className: 'button primary' }, 'Send');
  const result = element('output', {});
  const form = element('form', {}, ...fieldsOf(given, parameters, methods, preset, known !== null), submit);
  const title = element('h2', {}, element('b', {}, method), ' ', ...breakable(path));
  const dialog = element(
    'dialog',
    { className: 'try-it' },
    element('header', {}, title, close),
    form,
    result,
  );
  const fail = (error) =>
    result.replaceChildren(element('p', { className: 'status bad' }, String(error.message ?? error)));

  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  form.elements.namedItem('side')?.addEventListener('change', () => showToken(form, methods).catch(fail));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const startedAt = performance.now();
    try {
      const response = await send(form, { method, path, parameters, methods, operation });
      result.replaceChildren(...resultOf(response, await response.text(), performance.now() - startedAt));
    } catch (error) {
      fail(error);
    }
    submit.disabled = false;
  });

  document.body.append(dialog);
  dialog.showModal();
  if (known === null || methods.isPublic) return;
  submit.disabled = true;
  await Promise.all([showToken(form, methods), fillIds(sideOf(path), given, parameters, form)]).catch(fail);
  submit.disabled = false;
}
