// Whether a sale may be made, by each client that was generated for TypeScript: the types are used as they are.
import { client } from '../../dist/clients/hey-api/client.gen.ts';
import { exchangeToken, getSaleCheck } from '../../dist/clients/hey-api/index.ts';
import * as orval from '../../dist/clients/orval/api.ts';
import { Api, StateCode } from '../../dist/clients/swagger/api.ts';

const { BASE_URL: baseUrl = '', CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '' } = process.env;
const sale = { npn: '8123456', productCode: 'CGL', stateCode: 'TX' } as const;

client.setConfig({ baseUrl });
const exchanged = await exchangeToken({ body: { clientId, clientSecret } });
const headers = { authorization: `Bearer ${exchanged.data?.data.accessToken}` };
const byHeyApi = await getSaleCheck({ query: sale, headers });

// Its functions call paths.
const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(new URL(String(url), baseUrl), init);
const byOrval = await orval.getSaleCheck(sale, { headers });

const bySwagger = await new Api({ baseUrl, baseApiParams: { headers } }).v2.getSaleCheck({
  ...sale,
  stateCode: StateCode.TX,
});
const answers = [
  byHeyApi.data?.data.answer,
  byOrval.status === 200 ? byOrval.data.data.answer : byOrval.data.errorMessage.join(),
  bySwagger.data.data.answer,
];
if (answers.some((answer) => answer !== 'yes')) throw new Error(answers.join());
