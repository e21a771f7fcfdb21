import { readFileSync } from 'node:fs';
import { fieldsOfCommand, operatorCommands } from '../../../../infra/admin/descriptions.ts';
import { commandHelp, helpText } from '../../../../infra/admin/help.ts';
import { workedQueues } from '../../../../shared/domain/queues.ts';

it.each(operatorCommands)('the help of the program shows %s with an example', (name) => {
  expect(helpText()).toMatch(
    new RegExp(`^${name}: .+\\.\n  npm run --silent admin -- ${name} '\\{.*\\}'$`, 'm'),
  );
});

it.each(operatorCommands)('the help of %s has its fields and no Markdown', (name) => {
  const text = commandHelp(name);
  for (const { path } of fieldsOfCommand(name))
    expect(text).toMatch(new RegExp(`^${path}( \\(required\\))?: \\S`, 'm'));
  expect(text).not.toContain('`');
});

it('the help of a redrive lists the queues', () => {
  for (const queue of workedQueues) expect(commandHelp('redrive')).toContain(queue);
});

it('the help and the page name sections of the runbook that exist', () => {
  const runbook = readFileSync('infra/runbook.md', 'utf8');
  const headings = Array.from(runbook.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  const named = Array.from((helpText().split('\n').at(-1) ?? '').matchAll(/"([^"]+)"/g), ([, name]) => name);
  expect(named).toEqual(['A receiver did not get its event', 'Who did what']);
  expect(headings).toEqual(expect.arrayContaining(named));
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const page = readFileSync('functions/admin/README.md', 'utf8');
  const linked = Array.from(page.matchAll(/runbook\.md#([\w-]+)/g), ([, anchor]) => anchor);
  expect(linked.length).toBeGreaterThan(2);
  expect(anchors).toEqual(expect.arrayContaining(linked));
});
