const tables = () => import('../support/tables.ts');

// `npm run test:mutations` has this file for unit tests too, some of which replace what it would load.
if (expect.getState().testPath?.includes('integration')) {
  beforeEach(async () => (await tables()).tablesOfTest.begin());
  afterEach(async () => (await tables()).tablesOfTest.end());
  afterAll(async () => (await tables()).deleteTables());
}
