// Suites that wait for processes and databases get half a minute a test: how fast the machine is, is no test's matter.
jest.setTimeout(30_000);
