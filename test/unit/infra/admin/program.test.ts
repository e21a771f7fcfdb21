import { readFileSync } from 'node:fs';
import {
  commandsPage,
  operatorCommands,
  operatorProgram,
  runCommand,
} from '../../../../infra/admin/program.ts';
import { workedQueues } from '../../../../shared/domain/queues.ts';

const run = jest.fn();

/** What the program prints. */
async function printed(...args: string[]): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await operatorProgram(run).parseAsync(args, { from: 'user' });
  } catch (error) {
    expect(error).toMatchObject({ code: 'commander.helpDisplayed' });
  }
  const text = write.mock.calls.map(([chunk]) => chunk).join('');
  write.mockRestore();
  return text;
}

it('sends a command to the function that has the rights for it', async () => {
  const invoke = jest.fn().mockResolvedValue({});
  for (const name of ['redrive', 'repair-item', 'confirm-match'] as const) await runCommand(name, invoke, {});
  expect(invoke.mock.calls).toEqual([
    ['admin', { command: 'redrive', input: {} }],
    ['import', { command: 'repair-item', input: {} }],
    ['import', { command: 'confirm-match', input: {} }],
  ]);
});

it('hands a command on as it is given', async () => {
  await printed('redrive', '{"queue":"registry-sync"}', '--environment', 'dev');
  expect(run).toHaveBeenLastCalledWith('redrive', '{"queue":"registry-sync"}', 'dev');
  await printed('rematch');
  expect(run).toHaveBeenLastCalledWith('rematch', '{}', 'local');
});

it.each([
  [['boat'], "unknown command 'boat'"],
  [['redrive', '{}', '--environment', 'moon'], 'Allowed choices are local, dev, sandbox, prod.'],
  [['redrive', '{}', '--env', 'dev'], "unknown option '--env'"],
  [['redrive', '{"queue":', '"registry-sync"}'], "too many arguments for 'redrive'"],
  [['import', '--describe', 'boat'], 'Allowed choices are carrier, '],
])('refuses %j', async (args, message) => {
  await expect(operatorProgram(run).parseAsync(args, { from: 'user' })).rejects.toThrow(message);
});

it.each(operatorCommands)('the help lists %s, whose own help has an example', async (name) => {
  expect(await printed('--help')).toMatch(new RegExp(`^  ${name} .*\\[json\\] +[A-Z]`, 'm'));
  expect(await printed(name, '--help')).toMatch(
    new RegExp(`^Example:\nnpm run --silent admin -- ${name} '\\{.*\\}'$`, 'm'),
  );
});

it('the help of a command has its fields, with their values and what they mean', async () => {
  const help = await printed('import', '--help');
  expect(help).toContain('\nemitEvents: boolean\n');
  expect(help).toContain('\nrejectedFile: string\n    Path of a file to write the rejected lines to');
  expect(help).not.toMatch(/^(firstLine|lines|commandId)( \(required\))?:/m);
  expect(await printed('redrive', '--help')).toContain(`queue (required): ${workedQueues.join(', ')}\n`);
  expect(await printed('set-registry-record', '--help')).toContain(
    '\nrecord.licenses[].licenseNumber (required): string of 1 to 100 characters\n',
  );
});

it('describes the records of a type', async () => {
  expect(await printed('import', '--describe', 'policy')).toMatch(/^type \(required\): policy\n/);
});

it('the help and the page name sections of the runbook that exist', async () => {
  const runbook = readFileSync('infra/runbook.md', 'utf8');
  const headings = Array.from(runbook.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  const named = [
    ...(await printed('--help')).matchAll(/"([A-Z][^"]+)"/g),
    ...commandsPage().matchAll(/"([^"]+)" in infra\/runbook\.md/g),
  ].map(([, heading]) => heading);
  expect(named).toHaveLength(4);
  const titles = headings.map((heading) => heading.replace(/ \(\w+\)$/, ''));
  expect(titles).toEqual(expect.arrayContaining(named));
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
