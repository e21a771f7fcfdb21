import { createFleet } from '../../../infra/local/functions/fleet.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';

it('a function that is not in the templates does not exist', () => {
  const awsEndpoint = 'http://127.0.0.1:1';
  const fleet = createFleet(readTemplates({}, { awsEndpoint }), {
    awsEndpoint,
    bootstrap: '',
    logDirectory: '',
    onError: () => undefined,
  });
  expect(() => fleet.memberOf('nobody')).toThrow('no function nobody');
});
