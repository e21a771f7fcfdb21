import { readFileSync } from 'node:fs';
import { commandNames } from '../../functions/admin/commands.ts';
import { commandNames as importCommandNames } from '../../functions/import/commands.ts';
import { tableDesigns } from '../../shared/domain/tables.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { synthesized } from './synthesized.ts';

const runbook = readFileSync('infra/runbook.md', 'utf8');

/** First groups of all matches, each once. */
const found = (pattern: RegExp): string[] => [
  ...new Set(Array.from(runbook.matchAll(pattern), ([, group = '']) => group)),
];

const { data, service, watch } = synthesized('prod');
const templates = JSON.stringify([data.all, service.all, watch.all]);

test.each(found(/aws [^\n]*?insurance-compliance-(?:prod|dev)-([\w-]+)/g))(
  '%s, in a command, is deployed',
  (suffix) => {
    const name = `insurance-compliance-prod-${suffix}`;
    const stack = /-(data|service|watch)$/.test(name);
    expect(stack || templates.includes(`"${name}"`) || templates.includes(`"alias/${name}"`)).toBe(true);
  },
);

test.each(found(/npm run (?:--silent )?admin -- ([a-z][\w-]*)/g))(
  '%s is a command of operators',
  (command) => {
    expect([...commandNames, ...importCommandNames, 'import', 'rematch']).toContain(command);
  },
);

test.each(found(/\("([A-Z][^":]+)"(?:, \d)?\)/g))('"%s", to which a section refers, exists', (heading) => {
  const all = Array.from(
    runbook.matchAll(/^## (.+?)(?: \((?:page|ticket|dashboard)[^)]*\))?$/gm),
    ([, one]) => one,
  );
  expect(all).toContain(heading);
});

// Without them the CDK bootstraps those of `dev`, or of the shell.
test('accounts are bootstrapped by their number and region', () => {
  const guides = ['README.md', 'infra/runbook.md'].map((path) => readFileSync(path, 'utf8')).join('\n');
  const commands = Array.from(guides.matchAll(/cdk bootstrap\b([^`\n]*)/g), ([, rest]) => rest);
  expect(commands).toEqual([' aws://<account>/<region>', ' aws://<account>/<region>']);
});

test('an emergency release is deployed at once, and whoever rolls back finds the commands for the routes and for a rollback that failed', () => {
  const { text = '' } = procedures.find(({ heading }) => heading === 'Rolling back') ?? {};
  expect(text).toContain('npx cdk deploy --all -c environment=prod -c rollout=at-once');
  expect(text).toMatch(/aws apigateway update-stage .+path=\/deploymentId,value=<former>/);
  const [, wayOut = ''] = text.split('**If the rollback fails**');
  expect(wayOut).toMatch(
    /stop-deployment.+continue-update-rollback .+ --resources-to-skip.+rollout=at-once/s,
  );
});

// The bucket refuses to let anyone else read or copy a file without the tag of a scan.
test('files that were not scanned are scanned by GuardDuty on request', () => {
  const { text = '' } = alarmSections.find(({ heading }) => heading === 'Files that are not scanned') ?? {};
  expect(text).toMatch(
    /aws guardduty send-object-malware-scan --s3-object '\{"Bucket": .+, "Key": "files\/.+\}'/,
  );
});

test('"Restoring tables" says of every table what a restore means', () => {
  const { text = '' } = procedures.find(({ heading }) => heading === 'Restoring tables') ?? {};
  const cells = Array.from(text.matchAll(/^\| (`[^|]+`) +\|/gm), ([, cell = '']) => cell);
  const named = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
  expect(named.sort()).toEqual(tableDesigns.map(({ name }) => name).sort());
});
