import { isObject } from '../../json.ts';

/**
 * CloudFormation's intrinsic functions that the synthesized templates use. Others are rejected by name, because a wrong
 * value would fail far from its cause.
 */

/** Resolves the names in a template. */
export interface Scope {
  /** Value of a resource, a parameter or a pseudo parameter; `noValue` for `AWS::NoValue`. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  /** Value of another stack's export. */
  importValue(name: string): unknown;
}

/** Represents `AWS::NoValue`: a property with this value is omitted. */
export const noValue = Symbol('AWS::NoValue');

function text(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${where} requires a string, not ${JSON.stringify(value)}.`);
}

function list(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where} requires a list, not ${JSON.stringify(value)}.`);
}

function attributeOf(argument: unknown, scope: Scope): unknown {
  const [logicalId, name] = list(argument, 'Fn::GetAtt');
  return scope.attribute(text(logicalId, 'Fn::GetAtt'), text(name, 'Fn::GetAtt'));
}

function substitute(argument: unknown, scope: Scope): string {
  const [template, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, 'Fn::Sub');
  const values = isObject(variables) ? variables : {};
  return text(template, 'Fn::Sub').replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === '!') return `\${${name}}`;
    if (Object.hasOwn(values, name)) return text(resolve(values[name], scope), 'Fn::Sub');
    return text(
      name.includes('.') ? attributeOf(name.split('.'), scope) : scope.ref(name),
      `Fn::Sub of ${name}`,
    );
  });
}

const intrinsics: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  'Fn::GetAtt': attributeOf,
  'Fn::Sub': substitute,
  'Fn::ImportValue': (argument, scope) =>
    scope.importValue(text(resolve(argument, scope), 'Fn::ImportValue')),
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, 'Fn::Join');
    return list(resolve(parts, scope), 'Fn::Join')
      .map((part) => text(part, 'Fn::Join'))
      .join(text(separator, 'Fn::Join'));
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(resolve(argument, scope), 'Fn::Split');
    return text(source, 'Fn::Split').split(text(separator, 'Fn::Split'));
  },
  'Fn::Select': (argument, scope) => {
    const [index, values] = list(resolve(argument, scope), 'Fn::Select');
    return text(list(values, 'Fn::Select')[Number(index)], 'Fn::Select');
  },
};

/** Resolves all intrinsic functions in a value of a template. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => resolve(element, scope)).filter((element) => element !== noValue);
  }
  if (!isObject(value)) {
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      throw new Error(`The local run does not support the dynamic reference ${value}.`);
    }
    return value;
  }
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length === 1 && key !== undefined) {
    const intrinsic = intrinsics[key];
    if (intrinsic !== undefined) return intrinsic(value[key], scope);
    if (key.startsWith('Fn::')) throw new Error(`The local run does not support ${key}.`);
  }
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, resolve(member, scope)] as const)
      .filter(([, member]) => member !== noValue),
  );
}
