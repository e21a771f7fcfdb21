import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import { element } from './dom.js';

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
