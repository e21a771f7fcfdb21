import { type EnvironmentName, environments, stackName } from '../../infra/environments.ts';
import { appOf } from './app-of.ts';
import { dataTemplate } from './synthesized.ts';

/** The template of the data stack when no service stack uses it. */
function templateAlone(environment: EnvironmentName): unknown {
  const app = appOf(environment);
  app.node.tryRemoveChild(stackName(environment, 'service'));
  return app.synth().getStackByName(stackName(environment, 'data')).template;
}

// CDK only ever adds the exports that are used. A template that is the same for a service stack that uses nothing and for
// today's is therefore the same for every release in between.
test.each(Object.keys(environments) as EnvironmentName[])(
  'the data stack of %s does not depend on what the service stack uses of it',
  (environment) => {
    const alone = templateAlone(environment);
    expect(dataTemplate(environment)).toEqual(alone);
    expect(JSON.stringify(alone)).toContain('"Export"');
  },
);
