import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import type { decidePolicy } from '../../shared/domain/decision/policy.ts';
import type { Decision } from './decision-histories.ts';

/** A line of the decision's sources as it stands there, without its indentation, and what becomes of it. */
export interface BrokenLine {
  readonly file: string;
  readonly line: string;
  readonly change: string;
}

const folder = 'shared/domain/decision';

type Evaluate = (exports: object, require: (specifier: string) => unknown) => void;

const evaluated = (source: string): Evaluate =>
  new Function(
    'exports',
    'require',
    transformSync(source, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
    }).code,
  ) as Evaluate;

const unbroken = new Map<string, Evaluate>();

function evaluatorOf(path: string, broken: readonly BrokenLine[]): Evaluate {
  const here = broken.filter(({ file }) => path === `${folder}/${file}`);
  const known = unbroken.get(path);
  if (here.length === 0 && known !== undefined) return known;
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const { file, line, change } of here) {
    const found = lines.flatMap((text, index) => (text.trim() === line ? [index] : []));
    const [at] = found;
    if (at === undefined || found.length > 1) throw new Error(`${file} has ${found.length} lines "${line}".`);
    lines[at] = change;
  }
  const evaluate = evaluated(lines.join('\n'));
  if (here.length === 0) unbroken.set(path, evaluate);
  return evaluate;
}

/** The decision as it would be with some of its lines broken. */
export function decisionWith(
  broken: readonly BrokenLine[],
): Decision & { readonly decidePolicy: typeof decidePolicy } {
  const modules = new Map<string, object>();
  const moduleAt = (path: string): object => {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const exports = {};
    modules.set(path, exports);
    evaluatorOf(path, broken)(exports, (specifier) =>
      specifier.startsWith('node:')
        ? process.getBuiltinModule(specifier)
        : moduleAt(join(dirname(path), specifier)),
    );
    return exports;
  };
  const entries = ['coverage.ts', 'decide.ts', 'policy.ts', 'record.ts'];
  return Object.assign({}, ...entries.map((file) => moduleAt(`${folder}/${file}`))) as ReturnType<
    typeof decisionWith
  >;
}
