// What the page's scripts build their elements with.

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
