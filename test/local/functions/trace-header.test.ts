import { nextLink } from '../../../infra/local/functions/trace-header.ts';

const first = 'arn:aws:lambda:us-east-1:000000000000:function:first';
const second = 'arn:aws:lambda:us-east-1:000000000000:function:second';

it('a chain starts with an invocation without a message', () => {
  const { invocations, traceHeader } = nextLink(first, []);
  expect(invocations).toBe(1);
  expect(traceHeader).toMatch(
    /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=[0-9a-f]{8}:1$/,
  );
});

it('each function is counted separately along the chain', () => {
  const one = nextLink(first, []);
  const other = nextLink(second, [one.traceHeader]);
  expect(other.invocations).toBe(1);
  const back = nextLink(first, [other.traceHeader]);
  expect(back.invocations).toBe(2);
  expect(nextLink(second, [back.traceHeader]).invocations).toBe(2);
});

it('a batch counts as the longest chain in it, function by function', () => {
  const long = nextLink(first, [nextLink(first, [nextLink(first, []).traceHeader]).traceHeader]);
  const crossed = nextLink(second, [nextLink(first, []).traceHeader]);
  const together = [crossed.traceHeader, long.traceHeader, 'Root=1-5759e988-bd862e3fe1be46a994272793'];
  expect(nextLink(first, together).invocations).toBe(4);
  expect(nextLink(second, together).invocations).toBe(2);
});
