import { execFileSync } from 'node:child_process';
import { presentCommit } from '../../infra/commit.ts';
import { synthesized, wholeTemplates } from './synthesized.ts';
import { release } from './variants.ts';

describe('the commit of a release', () => {
  test('the service stack says in its outputs which commit is live, and since when', () => {
    expect(synthesized('filledIn').service.outputs).toMatchObject({
      Commit: { Value: release.commit },
      DeployedAt: { Value: release.deployedAt },
    });
  });

  test('no resource but the dashboard names the release: each that did would be updated by every release', () => {
    const { data, service, watch } = synthesized('filledIn');
    const named = [data, service, watch].flatMap(({ all, tags }) => [
      ...(JSON.stringify(tags).includes(release.commit) ? ['tags'] : []),
      ...Object.values(all).flatMap((one) =>
        JSON.stringify(one).includes(release.commit) ? [one.Type] : [],
      ),
    ]);
    expect(named).toEqual(['AWS::CloudWatch::Dashboard']);
  });

  test('every graph of the dashboard has a mark at the deployment, with the commit', () => {
    const body = JSON.stringify(wholeTemplates('filledIn').watch).replaceAll('\\', '');
    const mark = JSON.stringify({ vertical: [{ value: release.deployedAt, label: release.commit }] });
    const graphs = body.split('"view":"timeSeries"').length - 1;
    expect(graphs).toBeGreaterThan(10);
    expect(body.split(`"annotations":${mark}`)).toHaveLength(graphs + 1);
  });

  test('the commit is the one that is checked out', () => {
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    const commit = presentCommit()?.replace('-dirty', '') ?? '';
    expect(commit.length).toBeGreaterThanOrEqual(12);
    expect(head).toMatch(new RegExp(`^${commit}`));
  });
});
