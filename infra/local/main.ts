// `npm start`: the local run with its demo data, until Ctrl-C.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type LocalRun, startLocalRun } from './local-run.ts';
import { MachineError } from './machine-error.ts';
import { type RunDescription, runDirectory } from './run-directory.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A small PDF as a format of the shell's printf. */
const printfPdf =
  '%%PDF-1.4\\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\\ntrailer<</Root 1 0 R>>\\n%%%%EOF\\n';

async function announce(run: LocalRun): Promise<void> {
  const { baseUrl, demo } = run;
  if (demo === undefined) throw new Error('The demo data is missing.');
  await writeFile(runDirectory.demo, `${JSON.stringify({ baseUrl, ...demo }, null, 2)}\n`);
  const description: RunDescription = {
    awsEndpoint: run.awsEndpoint,
    accessKeyId: run.operatorAccessKeyId,
  };
  // The access key in this file has all permissions of an operator.
  await writeFile(runDirectory.run, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  const { clientId, clientSecret } = demo.upstream;
  const { filingId, ...item } = demo.filingWithOpenEscalation;
  const filing = `${baseUrl}/v2/upstream/surplus-lines-filings/${filingId}`;
  const answer = JSON.stringify({ ...item, body: 'Here is the signed copy.', fileDocumentIds: ['FILE'] });
  const credential = JSON.stringify({ clientId, clientSecret });
  print(`
API        ${baseUrl}
Reference  ${baseUrl}/docs
Webhooks   ${baseUrl}/webhooks
Demo data  ${runDirectory.demo}
Logs       ${runDirectory.logs}

Exchange the carrier's credential for a token and list its policies:

TOKEN=$(curl -s ${baseUrl}/v2/auth/jwt -H 'content-type: application/json' -d '${credential}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s '${baseUrl}/v2/upstream/policies?currentStatus=active' -H "authorization: Bearer $TOKEN"

A filing waits for a signed copy. Upload one, reply with it, and see that nothing waits for the carrier anymore:

FILE=$(printf '${printfPdf}' | curl -s ${baseUrl}/v2/upstream/file-documents -H "authorization: Bearer $TOKEN" -F 'category=Surplus Lines' -F 'file=@-;filename=affidavit.pdf;type=application/pdf' | sed 's/.*"_id":"\\([^"]*\\)".*/\\1/')
curl -s ${filing}/escalation/messages -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '${answer.replace('FILE', `'"$FILE"'`)}'
curl -s ${filing} -H "authorization: Bearer $TOKEN"

Open ${baseUrl}/webhooks, synchronize an agency with the registry, and see the event arrive there (the local bus keeps no archive):

curl -s -X POST ${baseUrl}/v2/upstream/downstream-entity-associations/${demo.downstreamEntityAssociationId}/sync -H "authorization: Bearer $TOKEN"

Every start begins with new credentials and new demo data. Press Ctrl-C to stop.`);
}

async function main(): Promise<void> {
  const port = Number(process.env['PORT'] ?? 3_000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new MachineError(`PORT must be a number from 0 to 65535, not "${process.env['PORT']}".`);
  }
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  process.once('SIGINT', () => end());
  process.once('SIGTERM', () => end());

  await rm(runDirectory.logs, { recursive: true, force: true });
  await mkdir(runDirectory.path, { recursive: true });
  const run = await startLocalRun({ port, seed: true });
  try {
    await announce(run);
    const steps = Object.entries(run.timeline).map(([step, at]) => `${step} ${at} ms`);
    print(`Ready after ${Math.round(performance.now())} ms (${steps.join(', ')}).`);
    await ended;
  } finally {
    await rm(runDirectory.run, { force: true });
    await run.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof MachineError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    );
    process.exit(1);
  },
);
