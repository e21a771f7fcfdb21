// Loaded only now: `npm run test:mutations` has this file for unit tests too, some of which replace what these import.
const tables = () => import('../support/tables.ts');

beforeEach(async () => (await tables()).tablesOfTest.begin());
afterEach(async () => (await tables()).tablesOfTest.end());
afterAll(async () => (await tables()).deleteTables());
