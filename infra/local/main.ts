// `npm start`: the local run with its demo data, until Ctrl-C.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { sampleFiles, sampleLines } from '../samples.ts';
import { usualScan } from './aws/s3-service.ts';
import type { Demo } from './demo/demo.ts';
import { lineOf } from './demo/receiver.ts';
import { MachineError, openListener } from './listener.ts';
import { type LocalRun, lifecycle, startLocalRun } from './local-run.ts';
import {
  defaultPort,
  findRun,
  type RunDescription,
  type RunDirectory,
  runDirectory,
} from './run-directory.ts';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A small PDF as a format of the shell's printf. */
const printfPdf =
  '%%PDF-1.4\\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\\ntrailer<</Root 1 0 R>>\\n%%%%EOF\\n';

/** Commands that read these paths as the carrier. */
const carrierCalls = (baseUrl: string, ...paths: readonly string[]): string =>
  paths
    .map((path) => `curl -s '${baseUrl}/v2/upstream/${path}' -H "authorization: Bearer $TOKEN"`)
    .join('\n');

/** Commands that ask about a license that lapsed: now, on the day a policy took effect, and when. */
function lapsedLicenseCommands(baseUrl: string, { lapsedLicense }: Demo): string {
  const { downstreamEntityAssociationId, agentId, productId, effectiveDate } = lapsedLicense;
  const statuses = `agents/${agentId}/license-compliance-statuses?stateCode=TX&productId=${productId}`;
  return carrierCalls(
    baseUrl,
    `downstream-entity-associations/${downstreamEntityAssociationId}/policy-compliance-statuses`,
    `${statuses}&asOf=${effectiveDate}`,
    'events?types=AGENT_LICENSE_EXPIRED',
  );
}

/** Commands that ask whether an agency may sell a product, and about the policy that its unappointed producer sold. */
function unappointedSellerCommands(baseUrl: string, { unappointedSeller }: Demo): string {
  const { downstreamEntityAssociationId, productId } = unappointedSeller;
  const agency = `downstream-entity-associations/${downstreamEntityAssociationId}`;
  return carrierCalls(
    baseUrl,
    `${agency}/license-compliance-statuses?stateCode=TX&productId=${productId}`,
    `${agency}/policy-compliance-statuses`,
  );
}

/** Commands that find a sale without a license, and its policy, whose renewal is compliant. */
function unlicensedSaleCommands(baseUrl: string, { unlicensedSale }: Demo): string {
  return carrierCalls(
    baseUrl,
    `policy-sales?complianceStatus=NOT_COMPLIANT&agentId=${unlicensedSale.agentId}`,
    'policy-compliance-statuses?complianceStatus=COMPLIANT&atSale=COMPLIANT&stateCode=TX',
  );
}

/** A command that asks whether producers may sell: one may, one is not appointed, one is not known, and one has an adjuster's license. */
function saleCheckCommand(baseUrl: string): string {
  const checks = ['8123456', '8530296', '1234567', '8640011'].map((npn) => ({
    seller: { npn },
    product: { productCode: 'CGL' },
    stateCode: 'TX',
  }));
  return `curl -s ${baseUrl}/v2/upstream/sale-checks -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '${JSON.stringify({ checks })}'`;
}

/** Commands that have a license in California end yesterday, run a night, and read the event of it. */
function lapseCommands(baseUrl: string): string {
  const nextRenewalDate = addDays(newYorkDate(new Date()), -1);
  const license = {
    stateCode: 'CA',
    licenseNumber: '451201',
    licenseClassName: 'Property and Casualty Producer',
    issueDate: '2022-10-27',
    nextRenewalDate,
  };
  const bearer = '-H "authorization: Bearer $TOKEN"';
  const run = `${baseUrl}/v2/sandbox/nightly-run`;
  return [
    `curl -s -X PUT ${baseUrl}/v2/sandbox/registry-records/7745120 ${bearer} -H 'content-type: application/json' -d '${JSON.stringify({ licenses: [license] })}'`,
    `RUN=$(curl -s -X POST ${run} ${bearer} | sed 's/.*"runId":"\\([^"]*\\)".*/\\1/')`,
    `until curl -s ${run}/$RUN ${bearer} | grep -v '"running"'; do sleep 1; done`,
    carrierCalls(baseUrl, 'events?types=AGENT_LICENSE_EXPIRED'),
  ].join('\n');
}

async function announce(run: LocalRun, directory: RunDirectory): Promise<void> {
  const { baseUrl, demo } = run;
  if (demo === undefined) throw new Error('The demo data is missing.');
  await writeFile(directory.demo, `${JSON.stringify({ baseUrl, ...demo }, null, 2)}\n`);
  const description: RunDescription = {
    awsEndpoint: run.awsEndpoint,
    accessKeyId: run.operatorAccessKeyId,
  };
  // The access key in this file has all permissions of an operator.
  await writeFile(directory.run, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  const { clientId, clientSecret } = demo.upstream;
  const { filingId, ...item } = demo.filingWithOpenEscalation;
  const filing = `${baseUrl}/v2/upstream/surplus-lines-filings/${filingId}`;
  const answer = JSON.stringify({ ...item, body: 'Here is the signed copy.', fileDocumentIds: ['FILE'] });
  // As the demo has them: with dates around today.
  const samplesOf = (owner: keyof typeof sampleFiles) => join(directory.path, basename(sampleFiles[owner]));
  for (const owner of ['downstream', 'upstream'] as const) {
    await writeFile(samplesOf(owner), `${sampleLines(owner, newYorkDate(new Date())).join('\n')}\n`);
  }
  const importCall = (owner: keyof typeof sampleFiles): string =>
    `npm run --silent admin -- import '${JSON.stringify({ organizationId: demo[owner].organizationId, file: samplesOf(owner) })}'`;
  const credential = JSON.stringify({ clientId, clientSecret });
  print(`
API        ${baseUrl}
Reference  ${baseUrl}/docs
Webhooks   ${baseUrl}/webhooks
Demo data  ${directory.demo}
Logs       ${directory.logs}
Node       ${process.versions.node}

Exchange the carrier's credential for a token and list its policies:

TOKEN=$(curl -s ${baseUrl}/v2/auth/jwt -H 'content-type: application/json' -d '${credential}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s '${baseUrl}/v2/upstream/policies?currentStatus=active' -H "authorization: Bearer $TOKEN"

Ask whether four producers may sell a product in Texas, each for the agency that they work for (yes, no, unknown, and no: an adjuster's
license does not sell):

${saleCheckCommand(baseUrl)}

A producer's Texas license lapsed, a policy was bound, and the license was renewed. Ask whether her agency complies now and did
when the policy took effect (atEffectiveDate), whether she was licensed on that day, and when the license expired:

${lapsedLicenseCommands(baseUrl, demo)}

An agency may sell in Texas; one of its producers, whom the carrier has not appointed, sold a policy all the same. Ask about the
agency, and about the policy, which is not compliant (agents):

${unappointedSellerCommands(baseUrl, demo)}

Somebody with an adjuster's license sold a policy, which a licensed producer endorsed and renewed. Ask for the sale, which is not
compliant for good; of the policy today, all is compliant, also its renewal:

${unlicensedSaleCommands(baseUrl, demo)}

A filing waits for a signed copy. Upload one, wait until it has been scanned for malware, reply with it, and see that nothing waits for the carrier anymore:

FILE=$(printf '${printfPdf}' | curl -s ${baseUrl}/v2/upstream/file-documents -H "authorization: Bearer $TOKEN" -F 'category=Surplus Lines' -F 'file=@-;filename=affidavit.pdf;type=application/pdf' | sed 's/.*"_id":"\\([^"]*\\)".*/\\1/')
until curl -s ${baseUrl}/v2/upstream/file-documents/$FILE -H "authorization: Bearer $TOKEN" | grep -q '"status":"available"'; do sleep 1; done
curl -s ${filing}/escalation/messages -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '${answer.replace('FILE', `'"$FILE"'`)}'
curl -s ${filing} -H "authorization: Bearer $TOKEN"

Synchronize an agency with the registry, which knows of one more license, and see the event arrive below, and whole at
${baseUrl}/webhooks (the local bus keeps no archive):

curl -s -X POST ${baseUrl}/v2/upstream/downstream-entity-associations/${demo.downstreamEntityAssociationId}/sync -H "authorization: Bearer $TOKEN"

Have the registry report that a producer's license ended yesterday, run a night, and read that it expired:

${lapseCommands(baseUrl)}

Import the sample records of the agency and the carrier as an operator. The demo has them already, so nothing changes:

${importCall('downstream')}
${importCall('upstream')}

Every start begins with new credentials and new demo data. Press Ctrl-C to stop.`);
}

async function main(): Promise<void> {
  const interrupted = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  // Nothing is deleted before the port is this run's.
  const listener = await openListener(Number(process.env['PORT'] ?? defaultPort));
  const directory = runDirectory(listener.port);
  if ((await findRun(directory)) !== undefined) {
    throw new MachineError(
      `Another local run keeps its files in ${directory.path}: choose another folder with LOCAL_DIRECTORY.`,
    );
  }
  await rm(directory.logs, { recursive: true, force: true });
  await mkdir(directory.path, { recursive: true });
  const elapsed = (): string => `${(performance.now() / 1_000).toFixed(1)} s`;
  const life = lifecycle((step) => void process.stderr.write(`Done after ${elapsed()}: ${step}\n`));
  const untilEngineEnds = async (): Promise<never> => {
    const run = await startLocalRun(
      {
        listener,
        logDirectory: directory.logs,
        seed: true,
        scanDuration: usualScan,
        onWebhook: (received) => print(`Webhook  ${lineOf(received)}`),
      },
      life,
    );
    await announce(run, directory);
    print(`Ready after ${elapsed()}.`);
    const end = await run.engineEnded;
    throw new MachineError(`${end}, and with it all data: start the local run again with "npm start".`);
  };
  try {
    // An interruption ends the start, too.
    await Promise.race([interrupted, untilEngineEnds()]);
  } finally {
    await rm(directory.run, { force: true });
    await life.stop();
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
