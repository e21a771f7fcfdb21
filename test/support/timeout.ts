// Half a minute for every test, so that none fails because the machine is slow or busy.
jest.setTimeout(30_000);
