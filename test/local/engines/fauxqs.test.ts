import { startFauxqs } from '../../../infra/local/engines/fauxqs.ts';

it('the end of fauxqs is reported in words', async () => {
  const engine = await startFauxqs();
  await engine.stop();
  expect(await engine.ended).toBe('fauxqs, which emulates SQS and S3, ended with code 1');
});
