import { parseSync } from '@swc/core';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** What a node consists of. Arguments, properties, and patterns are wrapped in nodes without a type. */
const partsOf = (node: object): Node[] =>
  Object.values(node).flatMap((part: unknown): Node[] => {
    if (Array.isArray(part)) return part.flatMap((one) => partsOf([one]));
    if (isNode(part)) return [part];
    return typeof part === 'object' && part !== null ? partsOf(part) : [];
  });

const operators = new Set(['<', '<=', '>', '>=', '==', '===', '!=', '!==']);

/** Functions and methods that compare what they are given, or what they are called on. */
const comparing =
  /^(?:compare|endsWith|has|includes|indexOf|isDeepStrictEqual|localeCompare|match|startsWith|test)$/;

/** Expressions that are something else than the fields that occur in them. */
const apart = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'ObjectExpression']);

/** What a field is not compared with, but asked whether it is there or how many there are. */
const isNoValue = (node: Node): boolean =>
  node.type === 'NullLiteral' ||
  node.type === 'NumericLiteral' ||
  (node.type === 'Identifier' && node['value'] === 'undefined') ||
  (node.type === 'StringLiteral' && node['value'] === '');

/** The names and texts that occur in an expression or a pattern. */
const namesIn = (node: Node): string[] => {
  if (apart.has(node.type)) return [];
  const { value } = node;
  const own = typeof value === 'string' && /^(?:Identifier|StringLiteral)$/.test(node.type) ? [value] : [];
  return [...own, ...partsOf(node).flatMap(namesIn)];
};

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const part of partsOf(node)) yield* nodesIn(part);
}

/** The names that a declaration gives to one of these fields, or to what is made of it. */
function namesGiven(node: Node, fields: ReadonlySet<string>): string[] {
  const has = (one: unknown): one is Node => isNode(one) && namesIn(one).some((name) => fields.has(name));
  if (node.type === 'KeyValuePatternProperty') {
    const { key, value } = node;
    return has(key) && isNode(value) ? namesIn(value) : [];
  }
  if (node.type !== 'VariableDeclarator') return [];
  const { id, init } = node;
  if (!isNode(id) || id.type !== 'Identifier' || !isNode(init)) return [];
  const made = init.type === 'ArrowFunctionExpression' ? init['body'] : init;
  return has(made) ? namesIn(id) : [];
}

/** An expression, without the `?.` in it that may end it early. */
function chained(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  return node.type === 'OptionalChainingExpression' ? chained(node['base']) : node;
}

/** What is compared in a node: the sides of an operator, or what a function is called on and with. */
function comparedIn(node: Node): Node[] {
  if (node.type === 'BinaryExpression') {
    const sides = partsOf(node);
    return operators.has(String(node['operator'])) && !sides.some(isNoValue) ? sides : [];
  }
  if (node.type === 'SwitchStatement') return isNode(node['discriminant']) ? [node['discriminant']] : [];
  const callee = node.type === 'CallExpression' ? chained(node['callee']) : undefined;
  const called = callee?.type === 'MemberExpression' ? callee['property'] : callee;
  return isNode(called) && comparing.test(String(called['value'])) ? partsOf(node) : [];
}

/** The nodes of a source file, and what is written of each. */
function parsed(source: string): { nodes: Node[]; textOf: (node: Node) => string } {
  // Positions are counted from the first token.
  const text = `0;${source}`;
  const module = parseSync(text, { syntax: 'typescript', target: 'es2023' }) as unknown as Node;
  const spanOf = ({ span }: Node) => span as { readonly start: number; readonly end: number };
  const bytes = Buffer.from(text);
  const first = spanOf(module).start;
  return {
    nodes: [...nodesIn(module)],
    textOf: (node) => {
      const { start, end } = spanOf(node);
      return bytes.subarray(start - first, end - first).toString('utf8');
    },
  };
}

/** The lines of the longest function of a source file. */
export function longestFunction(source: string): number {
  const { nodes, textOf } = parsed(source);
  const functions = nodes.filter(({ type }) => /Function|Method|Constructor/.test(type));
  return Math.max(0, ...functions.map((node) => textOf(node).split('\n').length));
}

/**
 * The comparisons in a source file that one of these fields takes part in, under its own name or one that the file gives it, as
 * they are written. Whether a field is there, and how many there are, is no comparison.
 */
export function comparisonsOf(source: string, fields: readonly string[]): string[] {
  if (!fields.some((field) => source.includes(field))) return [];
  const { nodes, textOf } = parsed(source);
  const known = new Set(fields);
  for (let size = 0; size < known.size; ) {
    size = known.size;
    for (const name of nodes.flatMap((node) => namesGiven(node, known))) known.add(name);
  }
  return nodes
    .filter((node) => comparedIn(node).some((side) => namesIn(side).some((name) => known.has(name))))
    .map((node) => textOf(node).replace(/\s+/g, ' '));
}
