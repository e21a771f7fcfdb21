// What the reference page builds its elements with, and the code of its chapters.
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';

/**
 * Creates an element. Children are nodes or text, never markup, because most of them are somebody’s data.
 *
 * @param {string} name
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 */
export function element(name, properties = {}, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

/** A label above a field. */
export const labeled = (text, field) =>
  element('label', { className: 'field' }, element('span', {}, text), field);

/** A choice between values, which are also their labels unless one is given. */
export function choice(values, properties = {}) {
  const options = values.map(([value, label = value]) => element('option', { value }, label));
  return Object.assign(element('select', {}, ...options), properties);
}

/** A path or a constant such as AGENT_CREATED, which breaks only between its parts. */
export const breakable = (constant) => constant.split(/(?<=[_/])/).flatMap((word) => [word, element('wbr')]);

/** JSON with indentation; any other text as it is. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// Languages of the chapters' samples; each knows its other names, such as `sh`.
for (const [name, language] of Object.entries({ bash, csharp, java, javascript, json, python })) {
  highlighter.registerLanguage(name, language);
}

/** Colors the code of the chapters, which Redoc shows as it is, and gives each block a button that copies it. */
export function finishCode() {
  for (const block of document.querySelectorAll('#reference pre[data-language]:not([data-highlighted])')) {
    const source = block.textContent;
    block.classList.add(`language-${block.dataset.language}`);
    highlighter.highlightElement(block);
    const copy = element('button', { className: 'button copy', type: 'button' }, 'Copy');
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source);
      copy.textContent = 'Copied';
    });
    const frame = element('div', { className: 'sample' });
    block.replaceWith(frame);
    frame.append(block, copy);
  }
}
