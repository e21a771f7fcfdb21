import { type EnvironmentName, environments, stackName } from '../../infra/environments.ts';
import { appOf } from './app-of.ts';

/** Template of the data stack, with or without a service stack beside it. */
function dataTemplate(environment: EnvironmentName, options: { readonly serviceStack: boolean }): string {
  const app = appOf(environment);
  if (!options.serviceStack) app.node.tryRemoveChild(stackName(environment, 'service'));
  return JSON.stringify(app.synth().getStackByName(stackName(environment, 'data')).template);
}

// CDK only ever adds the exports that are used, so what is the same for a service stack that uses nothing and for
// today's is the same for every release in between: one with a function less, or one function more.
test.each(Object.keys(environments) as EnvironmentName[])(
  'the data stack of %s is the same whatever the service stack uses of it',
  (environment) => {
    const alone = dataTemplate(environment, { serviceStack: false });
    expect(dataTemplate(environment, { serviceStack: true })).toBe(alone);
    expect(alone).toContain('"Export"');
  },
);
