// Deliveries to the built-in receiver, newest first.
import { callAs, demo } from './demo.js';
import { breakable, element, pretty } from './dom.js';

/** Deliveries that the page keeps, like the receiver itself. */
const remembered = 200;

const byId = (id) => document.getElementById(id);
const list = byId('received');
const filter = byId('filter');
const problem = byId('problem');

const signatures = {
  verified: 'Signature verified',
  wrong: 'Wrong signature',
  'secret unknown': 'Secret unknown',
};

/** Adds a value to a filter once. */
function addChoice(select, value, label = value) {
  if (Array.from(select.options).some((option) => option.value === value)) return;
  select.append(element('option', { value }, label));
}

/** Names of the filters, with the label of the choice that leaves nothing out. */
const filters = { type: 'All types', webhook: 'All webhooks', status: 'All statuses' };

function resetChoices() {
  for (const [name, label] of Object.entries(filters)) {
    filter.elements.namedItem(name).replaceChildren(element('option', { value: '' }, label));
  }
}

/** Shows what matches the filter, and counts it. */
function update() {
  const wanted = Object.keys(filters).map((name) => [name, filter.elements.namedItem(name).value]);
  for (const entry of list.children) {
    entry.hidden = wanted.some(([name, value]) => value !== '' && entry.dataset[name] !== value);
  }
  const total = list.children.length;
  const shown = Array.from(list.children).filter(({ hidden }) => !hidden).length;
  const deliveries = total === 1 ? '1 delivery' : `${total} deliveries`;
  byId('count').textContent =
    total === 0 ? 'Nothing yet.' : shown === total ? deliveries : `${shown} of ${deliveries}`;
  byId('empty').hidden = total > 0;
  byId('no-match').hidden = total === 0 || shown > 0;
  filter.hidden = total === 0;
}

/** The event in a body; an empty object for a body that has none. */
function eventIn(body) {
  try {
    const event = JSON.parse(body);
    return typeof event === 'object' && event !== null ? event : {};
  } catch {
    return {};
  }
}

function headerTable(headers) {
  const rows = Object.entries(headers).map(([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)),
  );
  return element('table', {}, element('tbody', {}, ...rows));
}

const detail = (label, ...content) => element('details', {}, element('summary', {}, label), ...content);

function add({ at, webhookId, signature, status, headers, body }) {
  const { webhookType = 'Not JSON', sequence, eventId } = eventIn(body);
  const facts = [
    status === 204 ? 'answered 204' : `refused with ${status}`,
    ...(sequence === undefined ? [] : [`sequence ${sequence}`]),
    ...(eventId === undefined ? [] : [`event ${eventId}`]),
    `webhook ${webhookId}`,
  ];
  const entry = element(
    'li',
    {},
    element(
      'header',
      {},
      element('strong', {}, ...breakable(webhookType)),
      element('span', { className: `signature ${signature.replace(' ', '-')}` }, signatures[signature]),
      element('time', { dateTime: at }, new Date(at).toLocaleTimeString()),
    ),
    element('p', { className: 'facts' }, ...facts.map((fact) => element('span', {}, fact))),
    detail('Body', element('pre', { className: 'payload' }, pretty(body))),
    detail('Headers', headerTable(headers)),
  );
  Object.assign(entry.dataset, { type: webhookType, webhook: webhookId, status: signature });
  addChoice(filter.elements.namedItem('type'), webhookType);
  addChoice(filter.elements.namedItem('webhook'), webhookId);
  addChoice(filter.elements.namedItem('status'), signature, signatures[signature]);
  list.prepend(entry);
  if (list.children.length > remembered) list.lastElementChild.remove();
  update();
}

function forgetAll() {
  list.replaceChildren();
  resetChoices();
  update();
}

/** Runs an action and shows why it failed, if it did. */
async function attempt(action) {
  problem.hidden = true;
  try {
    await action();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

/** Data of a successful answer. */
async function dataOf(response) {
  const { data, errorMessage } = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${[errorMessage].flat().join(' ')}`);
  return data;
}

/** The demo’s webhook whose receiver is this page. */
async function ownWebhook() {
  const webhooks = await dataOf(await callAs('upstream', '/v2/upstream/webhooks'));
  const own = webhooks.find(({ url }) => url === `http://127.0.0.1:${location.port}/webhooks/receiver`);
  if (own === undefined) throw new Error('No webhook of the demo’s carrier delivers to this page anymore.');
  return own;
}

async function offerTestEvents() {
  const button = byId('test').querySelector('button');
  button.disabled = true;
  if ((await demo()) === null)
    throw new Error('This run was started without demo data, so there is no webhook to test.');
  const { types } = await ownWebhook();
  byId('test-type').replaceChildren(...types.map((value) => element('option', { value }, value)));
  button.disabled = false;
}

async function sendTestEvent() {
  const { _id } = await ownWebhook();
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhookType: byId('test-type').value }),
  };
  await dataOf(await callAs('upstream', `/v2/upstream/webhooks/${_id}/test`, options));
}

filter.addEventListener('change', update);
filter.addEventListener('submit', (event) => event.preventDefault());
byId('test').addEventListener('submit', (event) => {
  event.preventDefault();
  void attempt(sendTestEvent);
});
byId('clear').addEventListener('click', () =>
  attempt(() => fetch('/webhooks/received', { method: 'DELETE' })),
);

const source = new EventSource('/webhooks/received');
source.onopen = () => {
  forgetAll();
  byId('connection').textContent = 'Live';
  byId('connection').className = 'live';
};
source.onerror = () => {
  byId('connection').textContent = 'Connection lost; trying again';
  byId('connection').className = '';
};
source.onmessage = ({ data }) => add(JSON.parse(data));
source.addEventListener('cleared', forgetAll);

forgetAll();
void attempt(offerTestEvents);
