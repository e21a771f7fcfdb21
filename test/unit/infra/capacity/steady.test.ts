import { steady } from '../../../capacity/steady.ts';

test('a number that moves by less than a quarter stays, at any depth', () => {
  const before = { routes: { getPolicy: { answerBytes: 1_000, records: 10, calls: { query: 1 } } } };
  const measured = {
    routes: { getPolicy: { answerBytes: 1_249, records: 13, calls: { query: 1, update: 0.04 } } },
  };
  expect(steady(before, measured)).toEqual({
    routes: { getPolicy: { answerBytes: 1_000, records: 13, calls: { query: 1, update: 0 } } },
  });
});

test('what is new is as measured, and what is no longer measured is gone', () => {
  const measured = { commit: 'def', routes: { getNew: { answerBytes: 7 } } };
  expect(steady({ commit: 'abc', routes: { getOld: { answerBytes: 9 } } }, measured)).toEqual(measured);
  expect(steady({}, measured)).toEqual(measured);
});
