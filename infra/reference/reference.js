// The reference: Redoc with the API's document, and a button "Try it" at every operation.
import { init } from '../../node_modules/@redocly/cli/lib/chunks/redoc.standalone.js';
import { element } from './dom.js';
import { openForm } from './try-it-form.js';

/** A description of which only the first paragraph is open. */
function folded(description) {
  const [first, ...rest] = description.split('\n\n');
  if (rest.length === 0) return description;
  return `${first}\n\n<details>\n<summary>More</summary>\n\n${rest.join('\n\n')}\n\n</details>`;
}

const api = await (await fetch('v2/openapi.json')).json();
const { info, paths, components, tags } = api;
// The title has room for the version, not for the commit.
[info.version] = info.version.split('+');
/** Operations by their ids in lower case, as Redoc has them in the ids of its sections. */
const operations = new Map();
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    operation.description = folded(operation.description);
    operations.set(operation.operationId.toLowerCase(), { path, method: method.toUpperCase(), operation });
  }
}
for (const tag of tags) tag.description = folded(tag.description);

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

// Redoc creates a section when it comes into view.
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
init(api, { disableTelemetry: true }, document.getElementById('reference'));

// A test opens the form of every operation.
export { openForm };
