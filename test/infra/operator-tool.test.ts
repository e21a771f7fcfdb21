import { runTool } from '../../infra/operator-tool.ts';

test('a tool without a region says where to fill it in', async () => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { exitCode } = process;
  runTool('Usage', () => Promise.reject(new Error('Region is missing')));
  await new Promise((resolve) => setImmediate(resolve));
  process.exitCode = exitCode;
  const [[said] = ['']] = written.mock.calls;
  written.mockRestore();
  expect(said).toMatch(/infra\/environments\.ts.*AWS_REGION/);
});
