import { deleteTables, tablesOfTest } from '../support/tables.ts';

beforeEach(() => tablesOfTest.begin());
afterEach(() => tablesOfTest.end());
afterAll(deleteTables);
