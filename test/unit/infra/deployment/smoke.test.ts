import { smokeTest } from '../../../../infra/deployment/smoke.ts';

const passed = {
  passed: true,
  steps: [
    { step: 'credentials', ms: 12 },
    { step: 'token', status: 201, ms: 87 },
  ],
};
const failed = {
  passed: false,
  steps: [{ step: 'token', status: 500, ms: 1_250, reason: 'The response was 500.', requestId: 'dev-1' }],
};

/** What a smoke test finds and says when the canary answers so, in turn. */
async function smoked(...answers: readonly object[]) {
  const lines: string[] = [];
  const invoked: string[] = [];
  const result = await smokeTest(
    async (name) => {
      invoked.push(name);
      return answers[invoked.length - 1];
    },
    (line) => lines.push(line),
  );
  return { result, lines, invoked };
}

it('says what each step felt like', async () => {
  const { result, lines, invoked } = await smoked(passed);
  expect(result).toEqual({ passed: true });
  expect(lines).toEqual(['  credentials          12 ms', '  token       201      87 ms']);
  expect(invoked).toEqual(['canary']);
});

it('runs once more after a failure', async () => {
  const { result, lines } = await smoked(failed, passed);
  expect(result).toEqual({ passed: true });
  expect(lines[0]).toBe('  token       500    1250 ms  The response was 500. (dev-1)');
  expect(lines).toContain('The canary runs once more.');
});

it('fails with the step and the reason after two failures', async () => {
  const { result, invoked } = await smoked(failed, failed);
  expect(result).toEqual({ passed: false, reason: '"token" failed. The response was 500.' });
  expect(invoked).toHaveLength(2);
});
