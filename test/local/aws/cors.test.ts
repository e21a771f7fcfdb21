import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { createMalwareScans } from '../../../infra/local/aws/malware-scan.ts';
import { s3Service } from '../../../infra/local/aws/s3-service.ts';
import { type Fauxqs, startFauxqs } from '../../../infra/local/engines/fauxqs.ts';
import { corsRulesOf, createQueuesAndBuckets } from '../../../infra/local/engines/queues-and-buckets.ts';
import { type Listener, openListener } from '../../../infra/local/listener.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';
import {
  createS3Client,
  createS3ObjectStore,
} from '../../../shared/domain/file-documents/s3-object-store.ts';
import { wholeTemplates } from '../../infra/synthesized.ts';

const secretAccessKey = 'local';
const page = 'https://portal.example.com';

let engine: Fauxqs;
let listener: Listener;
beforeAll(async () => {
  engine = await startFauxqs();
  listener = await openListener(0);
});
afterAll(async () => {
  await listener.close();
  await engine.stop();
});

/** The files bucket behind the endpoint, as the local run's template has it, or without its CORS rules. */
async function filesBucket({ cors }: { readonly cors: boolean }) {
  const templates: Record<string, unknown> = JSON.parse(
    JSON.stringify(wholeTemplates('local')),
    (name, value: unknown) => (cors || name !== 'CorsConfiguration' ? value : undefined),
  );
  const buckets = readTemplates(templates, { awsEndpoint: listener.address }).ofType('AWS::S3::Bucket');
  listener.serve(
    createAwsEndpoint({
      callers: new Map([['KEY', { name: 'operator', statements: 'everything' }]]),
      services: {
        s3: s3Service({
          port: engine.port,
          secretAccessKey,
          corsRules: corsRulesOf(buckets),
          scans: createMalwareScans([], () => 0),
        }),
      },
      onGrantUsed: () => {},
      onRefusal: () => {},
    }),
  );
  await createQueuesAndBuckets({ queues: [], buckets }, { endpoint: listener.address, accessKeyId: 'KEY' });
  const client = createS3Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'KEY', secretAccessKey },
    endpoint: listener.address,
    forcePathStyle: true,
  });
  return createS3ObjectStore(client, buckets[0]?.ref ?? '', false);
}

/** Sends what a page sends, as a browser lets it: asks first, and hands the answer over only where it may be read. */
async function fromPage(
  url: string,
  init: RequestInit & { headers?: Record<string, string> },
): Promise<Response> {
  const { method = 'GET', headers = {} } = init;
  const asked = Object.keys(headers).filter((name) => name !== 'content-length');
  if (method !== 'GET' || asked.length > 0) {
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: page,
        'access-control-request-method': method,
        ...(asked.length === 0 ? {} : { 'access-control-request-headers': asked.join(',') }),
      },
    });
    const allowed = (name: string) =>
      (preflight.headers.get(`access-control-allow-${name}`) ?? '').split(',').map((one) => one.trim());
    const refused = asked.filter((name) => !allowed('headers').includes(name));
    if (!preflight.ok || !allowed('methods').includes(method) || refused.length > 0) {
      throw new Error(`Blocked by CORS: ${preflight.status} ${await preflight.text()}`);
    }
  }
  const answer = await fetch(url, { ...init, headers: { ...headers, origin: page } });
  const origin = answer.headers.get('access-control-allow-origin');
  if (origin !== '*' && origin !== page) throw new Error('Blocked by CORS: the answer may not be read');
  return answer;
}

const bytes = Buffer.from('%PDF-1.4\n');
const upload = {
  objectKey: 'incoming/a',
  contentType: 'application/pdf',
  sizeInBytes: bytes.length,
} as const;

it('lets a page upload a file to its presigned URL and download it', async () => {
  const store = await filesBucket({ cors: true });
  const { url, headers } = await store.uploadLink(upload, new Date());
  const sent = await fromPage(url, { method: 'PUT', headers: { ...headers }, body: bytes });
  expect(sent.status).toBe(200);
  expect(sent.headers.get('access-control-expose-headers')).toContain('ETag');

  const file = { objectKey: upload.objectKey, fileName: 'a.pdf', contentType: upload.contentType };
  const read = await fromPage((await store.downloadLink(file, 'inline', new Date())).url, {});
  expect(await read.text()).toBe(bytes.toString());
});

it('does not allow it without rules in the template', async () => {
  const store = await filesBucket({ cors: false });
  const { url, headers } = await store.uploadLink(upload, new Date());
  await expect(fromPage(url, { method: 'PUT', headers: { ...headers }, body: bytes })).rejects.toThrow(
    'Blocked by CORS: 403',
  );
  await expect(fetch(url, { method: 'PUT', headers: { ...headers }, body: bytes })).resolves.toMatchObject({
    status: 200,
  });
});

it('still requires a valid signature', async () => {
  const store = await filesBucket({ cors: true });
  const { url, headers } = await store.uploadLink(upload, new Date(Date.now() - 2 * 3_600_000));
  await expect(fromPage(url, { method: 'PUT', headers: { ...headers }, body: bytes })).rejects.toThrow(
    'may not be read',
  );
});
