import { type Ended, outcomeOf, type StackState } from '../../../../infra/deployment/outcome.ts';

const stateOf =
  (part: StackState['part']) =>
  (status: string | undefined, changedAt = 1): StackState => ({ part, name: part, status, changedAt });
const data = stateOf('data');
const service = stateOf('service');
const watch = stateOf('watch');

const stable = [data('UPDATE_COMPLETE'), service('UPDATE_COMPLETE')];
const updated = [data('UPDATE_COMPLETE', 2), service('UPDATE_COMPLETE', 2)];
const passed = { passed: true } as const;
const failed = { passed: false, reason: '"token" failed.' } as const;

test.each<[string, Ended, string, RegExp]>([
  ['everything works', { exitCode: 0, before: stable, after: updated, smoke: passed }, 'live', /passed/],
  ['nothing had to change', { exitCode: 0, before: stable, after: stable, smoke: passed }, 'live', /passed/],
  ['the canary fails', { exitCode: 0, before: stable, after: updated, smoke: failed }, 'failing', /"token"/],
  [
    'the canary cannot be asked',
    { exitCode: 0, before: stable, after: updated, smoke: undefined },
    'failing',
    /could not be asked/,
  ],
  [
    'CodeDeploy stops',
    {
      exitCode: 1,
      before: stable,
      after: [data('UPDATE_COMPLETE', 2), service('UPDATE_ROLLBACK_COMPLETE', 2)],
      smoke: passed,
    },
    'rolled back',
    /events of service says why\. The canary passed/,
  ],
  [
    'the previous release fails too',
    {
      exitCode: 1,
      before: stable,
      after: [data('UPDATE_COMPLETE'), service('UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS', 2)],
      smoke: failed,
    },
    'rolled back',
    /The canary fails: "token"/,
  ],
  [
    'the stack of alarms is rolled back',
    {
      exitCode: 1,
      before: [...stable, watch('UPDATE_COMPLETE')],
      after: [...updated, watch('UPDATE_ROLLBACK_COMPLETE', 2)],
      smoke: passed,
    },
    'unwatched',
    /new release is live.*deploy again.*The canary passed/,
  ],
  [
    'the connection breaks before the stack of alarms is begun',
    {
      exitCode: 1,
      before: [...stable, watch('UPDATE_COMPLETE')],
      after: [...updated, watch('UPDATE_COMPLETE')],
      smoke: failed,
    },
    'unwatched',
    /new release is live.*The canary fails: "token"/,
  ],
  [
    'the first creation fails',
    {
      exitCode: 1,
      before: [data(undefined), service(undefined)],
      after: [data('CREATE_COMPLETE', 2), service('ROLLBACK_COMPLETE', 2)],
      smoke: undefined,
    },
    'rolled back',
    /events of service/,
  ],
  [
    'credentials expire before it begins, after a deployment that was rolled back',
    {
      exitCode: 1,
      before: [data('UPDATE_COMPLETE'), service('UPDATE_ROLLBACK_COMPLETE')],
      after: [data('UPDATE_COMPLETE'), service('UPDATE_ROLLBACK_COMPLETE')],
      smoke: passed,
    },
    'not deployed',
    /what was live before still is/,
  ],
  [
    'the connection breaks while it goes on',
    {
      exitCode: 1,
      before: stable,
      after: [data('UPDATE_COMPLETE', 2), service('UPDATE_IN_PROGRESS', 2)],
      smoke: passed,
    },
    'unfinished',
    /service is UPDATE_IN_PROGRESS/,
  ],
  [
    'the rollback fails',
    {
      exitCode: 1,
      before: stable,
      after: [data('UPDATE_COMPLETE'), service('UPDATE_ROLLBACK_FAILED', 2)],
      smoke: failed,
    },
    'unfinished',
    /service is UPDATE_ROLLBACK_FAILED/,
  ],
])('when %s', (_, ended, is, text) => {
  const outcome = outcomeOf(ended);
  expect(outcome.is).toBe(is);
  expect(outcome.text).toMatch(new RegExp(`^${is}\\. `));
  expect(outcome.text).toMatch(text);
});
