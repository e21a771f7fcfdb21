import { tablesOfTest } from '../support/tables.ts';

beforeEach(() => tablesOfTest.begin());
afterEach(() => tablesOfTest.end());
