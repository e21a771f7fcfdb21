import { isObject } from '../../json.ts';

/**
 * CloudFormation's intrinsic functions that the synthesized templates use. Others are rejected by name, because a wrong
 * value would fail far from its cause.
 */

/** Resolves the names in a template. */
export interface Scope {
  /** Value of a resource, a parameter or a pseudo parameter. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  /** Value of another stack's export. */
  importValue(name: string): unknown;
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${where} requires a string, not ${JSON.stringify(value)}.`);
}

function list(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where} requires a list, not ${JSON.stringify(value)}.`);
}

const intrinsics: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, name] = list(argument, 'Fn::GetAtt');
    return scope.attribute(text(logicalId, 'Fn::GetAtt'), text(name, 'Fn::GetAtt'));
  },
  // The CDK uses it for names with pseudo parameters, without variables of its own.
  'Fn::Sub': (argument, scope) =>
    text(argument, 'Fn::Sub').replace(/\$\{([^}]+)\}/g, (_, name: string) =>
      text(scope.ref(name), `Fn::Sub of ${name}`),
    ),
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
  if (Array.isArray(value)) return value.map((element) => resolve(element, scope));
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
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, scope)]));
}
