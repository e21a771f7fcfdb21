import type { Resources } from './synthesized.ts';

/**
 * What a value of a template invokes: `policies` for a function, `policies:live` for its alias, and the function's logical
 * id. The local run resolves the intrinsic functions around the reference, and starts only if there is what they name.
 */
export function invoked(
  resources: Resources,
  value: unknown,
): { readonly called: string; readonly functionId: string } {
  const { all } = resources;
  const ids = Array.from(
    JSON.stringify(value).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g),
    ([, id = '']) => id,
  );
  const [id = '', ...others] = ids.filter((one) =>
    /^AWS::Lambda::(Function|Alias)$/.test(all[one]?.Type ?? ''),
  );
  const properties = all[id]?.Properties;
  if (properties === undefined || others.length > 0) {
    throw new Error(`One function was expected in ${JSON.stringify(value)}.`);
  }
  const { FunctionName, Name } = properties;
  if (typeof FunctionName === 'string') {
    return { called: FunctionName.replace(/^insurance-compliance-[a-z]+-/, ''), functionId: id };
  }
  const { called, functionId } = invoked(resources, FunctionName);
  return { called: `${called}:${String(Name)}`, functionId };
}
