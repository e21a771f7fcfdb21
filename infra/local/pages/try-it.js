// Adds a button "Try it" to every operation in the reference.
import { element } from './dom.js';
import { openForm } from './try-it-form.js';

/** Operations by their ids in lower case, as Redoc has them in the ids of its sections. */
async function operations() {
  const { paths, components } = await (await fetch('/v2/openapi.json')).json();
  const found = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      found.set(operation.operationId.toLowerCase(), { path, method: method.toUpperCase(), operation });
    }
  }
  return { found, components, paths };
}

const { found, components, paths } = await operations();

function addButtons() {
  for (const section of document.querySelectorAll('[data-item-kind="httpItem"]:not([data-try-it])')) {
    const actions = section.querySelector('[data-testid="page-actions"]');
    const given = found.get(section.dataset.sectionId?.split('/').pop());
    if (actions === null || given === undefined) continue;
    section.dataset.tryIt = '';
    const button = element('button', { className: 'button primary', type: 'button' }, 'Try it');
    button.addEventListener('click', () => openForm({ ...given, components, paths }));
    actions.prepend(button);
  }
}

// Redoc creates a section when it comes into view.
new MutationObserver(addButtons).observe(document.body, { childList: true, subtree: true });
addButtons();
