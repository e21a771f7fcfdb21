import { smokeTest } from '../../../../infra/canary/smoke.ts';

const apiAddress = 'https://api.test';
const passed = {
  apiAddress,
  passed: true,
  steps: [
    { step: 'credentials', ms: 12 },
    { step: 'token', status: 201, ms: 87 },
  ],
};
const failed = {
  apiAddress,
  passed: false,
  steps: [{ step: 'token', status: 500, ms: 1_250, reason: 'The response was 500.', requestId: 'dev-1' }],
};

const setUp = jest.fn<Promise<'kept' | 'made'>, [string]>();

beforeEach(() => {
  setUp.mockReset().mockResolvedValue('kept');
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json({ info: { version: '2.0.0+1e6d030f3ea7' } }));
});

afterEach(() => jest.restoreAllMocks());

/** What a smoke test finds and says when the canary answers so, in turn. */
async function smoked(...answers: readonly object[]) {
  const lines: string[] = [];
  const invoked: string[] = [];
  const isPassed = await smokeTest({
    invoke: async (name) => {
      invoked.push(name);
      return answers[invoked.length - 1];
    },
    setUp,
    say: (line) => lines.push(line),
  });
  return { isPassed, lines, invoked };
}

it('says what each step felt like, and which release is live', async () => {
  const { isPassed, lines, invoked } = await smoked(passed);
  expect(isPassed).toBe(true);
  expect(lines).toEqual([
    '  credentials          12 ms',
    '  token       201      87 ms',
    'The canary passed. Live: 2.0.0+1e6d030f3ea7, its reference at https://api.test/docs: 200',
  ]);
  expect(fetch).toHaveBeenCalledWith('https://api.test/v2/openapi.json', expect.anything());
  expect(invoked).toEqual(['canary']);
  expect(setUp).not.toHaveBeenCalled();
});

it('sets up the canary after a failure, and has it run once more', async () => {
  setUp.mockResolvedValue('made');
  const { isPassed, lines } = await smoked(failed, passed);
  expect(isPassed).toBe(true);
  expect(setUp).toHaveBeenCalledWith(apiAddress);
  expect(lines.slice(0, 3)).toEqual([
    '  token       500    1250 ms  The response was 500. (dev-1)',
    'Made the organization, client, and webhook of the canary.',
    'The canary runs once more.',
  ]);
});

it('fails after two failures, and says what is live all the same', async () => {
  const { isPassed, lines, invoked } = await smoked(failed, failed);
  expect(isPassed).toBe(false);
  expect(lines.at(-1)).toBe(
    'The canary failed. Live: 2.0.0+1e6d030f3ea7, its reference at https://api.test/docs: 200',
  );
  expect(invoked).toHaveLength(2);
});

it('says what it could not do', async () => {
  setUp.mockRejectedValue(new Error('The response was 500.'));
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed'));
  const { isPassed, lines, invoked } = await smoked(failed, failed);
  expect(isPassed).toBe(false);
  expect(lines).toContain('The canary cannot be set up: The response was 500.');
  expect(lines.at(-1)).toBe('The canary failed. What is live cannot be read: fetch failed');
  expect(invoked).toHaveLength(2);
});
