import type { Environment } from '../../environments.ts';
import { refuseUnsupported } from './supported-resources.ts';
import { type Deployment, readAssembly } from './template.ts';

/** Synthesizes the environment `local`, for this address of the API, in this process and reads its templates. */
export async function synthesize(
  directory: string,
  { address, awsEndpoint }: { readonly address: string; readonly awsEndpoint: string },
  changes: Partial<Environment> | undefined,
): Promise<Deployment> {
  // Template validation adds two seconds to every synth; an infrastructure test runs it.
  process.env['CDK_VALIDATION'] = 'false';
  const [{ buildApp }, { environments }] = await Promise.all([
    import('../../build-app.ts'),
    import('../../environments.ts'),
  ]);
  const { local } = environments;
  buildApp({ ...local, address, ...changes }, { outdir: directory }).synth();
  const deployment = await readAssembly(directory, awsEndpoint);
  refuseUnsupported(deployment.resources);
  return deployment;
}
