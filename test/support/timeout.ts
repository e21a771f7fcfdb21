// Three minutes for every test, so that none fails on a machine that is ten times slower, or busy.
jest.setTimeout(180_000);
