import { execFileSync } from 'node:child_process';
import { presentCommit } from '../../infra/deployment/release.ts';
import { stackName } from '../../infra/environments.ts';
import { documentedGroups } from '../../infra/openapi/docs.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { appOf } from './app-of.ts';

const release = { commit: '1e6d030f3ea7', deployedAt: '2026-11-23T05:00:00.000Z' };

test('the service stack says in its outputs and tags which commit is live, and since when', () => {
  const { template, tags } = appOf('prod', {}, release).synth().getStackByName(stackName('prod', 'service'));
  expect(tags).toMatchObject(release);
  expect(template).toMatchObject({
    Outputs: { Commit: { Value: release.commit }, DeployedAt: { Value: release.deployedAt } },
  });
});

test('every graph of the dashboard has a mark at the deployment, with the commit', () => {
  const { template } = appOf('prod', {}, release).synth().getStackByName(stackName('prod', 'watch'));
  const body = JSON.stringify(template).replaceAll('\\', '');
  const mark = JSON.stringify({ vertical: [{ value: release.deployedAt, label: release.commit }] });
  const graphs = body.split('"view":"timeSeries"').length - 1;
  expect(graphs).toBeGreaterThan(10);
  expect(body.split(`"annotations":${mark}`)).toHaveLength(graphs + 1);
});

test('the OpenAPI document names the commit in its version', () => {
  const { version } = openApiDocument(documentedGroups).info;
  expect(openApiDocument(documentedGroups, release.commit).info.version).toBe(`${version}+${release.commit}`);
});

test('the commit is the one that is checked out', () => {
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  const commit = presentCommit()?.replace('-dirty', '') ?? '';
  expect(commit.length).toBeGreaterThanOrEqual(12);
  expect(head).toMatch(new RegExp(`^${commit}`));
});
