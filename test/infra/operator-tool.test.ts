import { runTool, WrongArguments } from '../../infra/operator-tool.ts';

/** What a tool prints, on either output, and whether its work began. */
async function ran(main: () => Promise<void>, ...args: string[]) {
  const { argv, exitCode } = process;
  const writes = [process.stdout, process.stderr].map((output) =>
    jest.spyOn(output, 'write').mockReturnValue(true),
  );
  process.argv = [...argv.slice(0, 2), ...args];
  runTool('Usage: tool', main);
  await new Promise((resolve) => setImmediate(resolve));
  process.argv = argv;
  process.exitCode = exitCode;
  return writes.map((write) => {
    const said = write.mock.calls.map(([text]) => text).join('');
    write.mockRestore();
    return said;
  });
}

test('a tool without a region says where to fill it in', async () => {
  const [, errors] = await ran(() => Promise.reject(new Error('Region is missing')));
  expect(errors).toMatch(/infra\/environments\.ts.*AWS_REGION/);
});

test('a tool that is asked for help shows its usage and does nothing', async () => {
  const main = jest.fn();
  expect(await ran(main, '--help')).toEqual(['Usage: tool\n', '']);
  expect(main).not.toHaveBeenCalled();
});

test('a tool with wrong arguments says what is wrong, and then its usage', async () => {
  const [, errors] = await ran(() => Promise.reject(new WrongArguments('--to is no time.')));
  expect(errors).toBe('--to is no time.\nUsage: tool\n');
});
