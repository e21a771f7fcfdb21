// The reference: Redoc with the API's document, and a button "Try it" at every operation.
import { init } from '../../node_modules/@redocly/cli/lib/chunks/redoc.standalone.js';
import { finishCode } from './code.js';
import { element } from './dom.js';
import { openForm } from './try-it-form.js';

/** A description of which only the first paragraph is open. */
function folded(description) {
  const [first, ...rest] = description.split('\n\n');
  if (rest.length === 0) return description;
  return `${first}\n\n<details>\n<summary>More</summary>\n\n${rest.join('\n\n')}\n\n</details>`;
}

/** The readers that the tags of an organization category are for; all others are for everybody. */
const readers = { upstreamEntity: 'For carriers', downstreamEntity: 'For agencies' };

/** Puts the tags under headings for their audience, and calls them by what they are about. */
function groupTags(api) {
  const tags = new Map();
  const groups = new Map(
    [...new Set(['For everybody', ...Object.values(readers)])].map((name) => [name, new Set()]),
  );
  const renamed = new Map();
  for (const tag of api.tags) {
    const [, about, category] = /^(.*?)(?: \((.*)\))?$/.exec(tag.name);
    // Those for everybody differ in their credential, which every operation says.
    const name = category in readers ? tag.name : about;
    renamed.set(tag.name, name);
    tags.set(
      name,
      tags.get(name) ?? { ...tag, name, 'x-displayName': about, description: folded(tag.description) },
    );
    groups.get(readers[category] ?? 'For everybody').add(name);
  }
  api.tags = [...tags.values()];
  api['x-tagGroups'] = Array.from(groups, ([name, ofGroup]) => ({ name, tags: [...ofGroup] }));
  for (const item of [...Object.values(api.paths), ...Object.values(api.webhooks)]) {
    for (const operation of Object.values(item))
      operation.tags = operation.tags.map((tag) => renamed.get(tag));
  }
}

const api = await (await fetch(new URL('../v2/openapi.json', import.meta.url))).json();
const { info, paths, components } = api;
// The title has room for the version, not for the commit.
[info.version] = info.version.split('+');
// Nobody answers at the local run's address of support.
if (new URL(info.contact.url).hostname === 'support.example.com') delete info.contact;
/** Operations by their ids in lower case, as Redoc has them in the ids of its sections. */
const operations = new Map();
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    operation.description = folded(operation.description);
    operations.set(operation.operationId.toLowerCase(), { path, method: method.toUpperCase(), operation });
  }
}
groupTags(api);

function addButtons() {
  for (const section of document.querySelectorAll('[data-item-kind="httpItem"]:not([data-try-it])')) {
    const actions = section.querySelector('[data-testid="page-actions"]');
    const given = operations.get(section.dataset.sectionId?.split('/').pop());
    if (actions === null || given === undefined) continue;
    section.dataset.tryIt = '';
    const button = element('button', { className: 'button primary', type: 'button' }, 'Try it');
    button.addEventListener('click', () => openForm({ ...given, components, paths }));
    actions.prepend(button);
  }
}

/** The rule that the address names, until it is shown: Redoc knows addresses of sections alone. */
let ruleToShow = /^#rule-/.test(location.hash) ? location.hash.slice(1) : undefined;
if (ruleToShow !== undefined) {
  history.replaceState(null, '', '#/section/compliance/how-compliance-is-decided');
}

function showRule() {
  const rule = ruleToShow && document.getElementById(ruleToShow);
  if (!rule) return;
  ruleToShow = undefined;
  // Redoc scrolls to the section of the address first.
  setTimeout(() => rule.scrollIntoView(), 500);
}

document.addEventListener(
  'click',
  (event) => {
    const link = event.target.closest('a[href^="#rule-"]');
    if (link === null) return;
    event.preventDefault();
    event.stopPropagation();
    document.getElementById(link.hash.slice(1))?.scrollIntoView();
  },
  { capture: true },
);

// Redoc creates a section when it comes into view.
new MutationObserver(() => {
  addButtons();
  finishCode();
  showRule();
}).observe(document.body, { childList: true, subtree: true });
init(api, { disableTelemetry: true }, document.getElementById('reference'));

// A test opens the form of every operation.
export { openForm };
