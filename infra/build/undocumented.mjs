import { readFile } from 'node:fs/promises';
import { parse, print } from '@swc/core';

/** `<schema>.register(z.globalRegistry, {…})`: what the OpenAPI document says of a schema. */
const isRegistration = (node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  node.callee.property.value === 'register' &&
  node.arguments[0]?.expression.type === 'MemberExpression' &&
  node.arguments[0].expression.property.value === 'globalRegistry';

/** The words of a route: `summary: …` and `description: …`. */
const isWords = (node) =>
  node.type === 'KeyValueProperty' &&
  (node.key.value === 'summary' || node.key.value === 'description') &&
  (node.value.type === 'StringLiteral' || node.value.type === 'TemplateLiteral');

const without = (node, words) => {
  if (Array.isArray(node)) return node.map((one) => without(one, words));
  if (node === null || typeof node !== 'object') return node;
  if (isRegistration(node)) return without(node.callee.object, words);
  if (words && isWords(node)) {
    return { ...node, value: { type: 'StringLiteral', span: node.value.span, value: '' } };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, without(value, words)]));
};

/**
 * Leaves out of the functions' bundles what only the OpenAPI document reads: 5 to 25 KB each, and the time to register
 * it at every cold start. The payloads of events keep theirs, of which test events are made.
 */
export const undocumented = {
  name: 'undocumented',
  setup(build) {
    build.onLoad({ filter: /[\\/](functions|shared)[\\/].*\.ts$/ }, async ({ path }) => {
      if (/[\\/](node_modules|shared[\\/]events)[\\/]/.test(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const isRoutes = /[\\/]routes\.ts$/.test(path);
      if (!isRoutes && !source.includes('globalRegistry')) return undefined;
      const tree = await parse(source, { syntax: 'typescript', target: 'es2023' });
      const { code } = await print(without(tree, isRoutes));
      return { contents: code, loader: 'ts' };
    });
  },
};
