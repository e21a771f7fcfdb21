import { App } from 'aws-cdk-lib';
import { context } from '../cdk.json';
import type { Release } from './commit.ts';
import { bundleFolderContext } from './constructs/service-function.ts';
import { DataStack } from './data-stack.ts';
import { type Environment, stackName } from './environments.ts';
import { ServiceStack } from './service-stack.ts';
import { watchedResourcesOf } from './watch/metrics.ts';
import { WatchStack } from './watch-stack.ts';

interface BuildOptions {
  /** Folder with one bundle folder per function; `dist/functions` by default. */
  readonly assetRoot?: string;
  /** Folder of the cloud assembly. */
  readonly outdir?: string;
  /** Release that the outputs, the dashboard, and the OpenAPI document name; by default none. */
  readonly release?: Release | undefined;
}

/**
 * The stacks of an environment. The CDK, the local run, and the tests all use this, with the feature flags of
 * `cdk.json`, so that they get the same templates.
 */
export function buildApp(environment: Environment, options: BuildOptions = {}): App {
  const { app, data } = buildDataStack(environment, options);
  const { name } = environment;
  const { release } = options;
  const service = new ServiceStack(app, stackName(name, 'service'), {
    ...stackProps(environment),
    data,
    release,
  });
  const watchedResources = watchedResourcesOf(environment, data, release);
  const watch = new WatchStack(app, stackName(name, 'watch'), {
    ...stackProps(environment),
    watchedResources,
  });
  // What it names must exist, as the log groups of its metric filters.
  watch.addStackDependency(service);
  return app;
}

/** The data stack alone, which does not depend on what the others use of it. */
export function buildDataStack(environment: Environment, options: BuildOptions = {}) {
  const app = new App({
    context: {
      ...context,
      ...(options.assetRoot === undefined ? {} : { [bundleFolderContext]: options.assetRoot }),
    },
    // A caller that names the folder reads templates; the tree of constructs, an eighth of a synthesis, is for the CDK's CLI.
    ...(options.outdir === undefined ? {} : { outdir: options.outdir, treeMetadata: false }),
  });
  const data = new DataStack(app, stackName(environment.name, 'data'), stackProps(environment));
  return { app, data };
}

const stackProps = (environment: Environment) => {
  const { name, account, region } = environment;
  return {
    environment,
    // Without an account or region the templates are environment-agnostic.
    env: { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) },
    // The same in every release: a tag that changes updates each resource that can have one.
    tags: { service: 'insurance-compliance', environment: name },
    // A sixth of a template is indentation, and CloudFormation limits its bytes.
    suppressTemplateIndentation: true,
  };
};
