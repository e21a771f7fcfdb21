import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import type { Demo } from './demo.ts';

/** A small PDF as a format of the shell's printf. */
const printfPdf =
  '%%PDF-1.4\\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\\ntrailer<</Root 1 0 R>>\\n%%%%EOF\\n';

/** Producers of the sale checks: one may sell, one is not appointed, one is not known, and one has an adjuster's license. */
const sellers = ['8123456', '8530296', '1234567', '8640011'];

interface TourParts {
  readonly baseUrl: string;
  readonly demo: Demo;
  /** Folder of the run's files. */
  readonly directory: string;
  /** Files with the sample records of the demo. */
  readonly samples: Readonly<Record<'upstream' | 'downstream', string>>;
}

/** Shell script that walks through the demo of a run, each step with its comment. */
export function tourOf({ baseUrl, demo, directory, samples }: TourParts): string {
  const { lapsedLicense, unappointedSeller, unlicensedSale, filingWithOpenEscalation } = demo;
  const { filingId, ...checklistItem } = filingWithOpenEscalation;
  const unappointedAgency = `downstream-entity-associations/${unappointedSeller.downstreamEntityAssociationId}`;
  const checks = sellers.map((npn) => ({
    seller: { npn },
    product: { productCode: 'CGL' },
    stateCode: 'TX',
  }));
  const endedLicense = {
    stateCode: 'CA',
    licenseNumber: '451201',
    licenseClassName: 'Property and Casualty Producer',
    issueDate: '2022-10-27',
    nextRenewalDate: addDays(newYorkDate(new Date()), -1),
  };
  const credentialOf = (side: 'upstream' | 'downstream'): string => {
    const { clientId, clientSecret } = demo[side];
    return JSON.stringify({ clientId, clientSecret });
  };
  const importOf = (side: 'upstream' | 'downstream'): string =>
    `npm run --silent admin -- import '${JSON.stringify({ organizationId: demo[side].organizationId, file: samples[side] })}'`;
  return `#!/bin/sh
# A tour of the demo: run it as a whole, or paste its steps after the lines before the first one.
set -e
cd '${process.cwd()}'
export LOCAL_DIRECTORY='${directory}'
API=${baseUrl}/v2
UPSTREAM=$API/upstream
# A terminal shows the beginning of a long answer.
show() { if [ -t 1 ]; then cut -c 1-800; else cat; fi; }
call() { curl -s -w '\\n' -H "authorization: Bearer $TOKEN" "$@" | show; }
send() { call -H 'content-type: application/json' "$@"; }
token() { curl -s "$API/auth/jwt" -H 'content-type: application/json' -d "$1" | member accessToken; }
member() { sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }
step() { printf '\\n# %s\\n' "$1"; }

step 'token: exchange the credential of the carrier for a token, and list its active policies.'
TOKEN=$(token '${credentialOf('upstream')}')
call "$UPSTREAM/policies?currentStatus=active"

step 'sale check: may four producers sell a product in Texas? Yes, no, unknown, and no: an adjuster’s license does not sell.'
send "$UPSTREAM/sale-checks" -d '${JSON.stringify({ checks })}'

step 'lapse: a license lapsed, a policy was bound, the license was renewed. Is her agency compliant now, and was it then (atEffectiveDate)?'
call "$UPSTREAM/downstream-entity-associations/${lapsedLicense.downstreamEntityAssociationId}/policy-compliance-statuses"
# Was she licensed on that day, and when did the license expire?
call "$UPSTREAM/agents/${lapsedLicense.agentId}/license-compliance-statuses?stateCode=TX&productId=${lapsedLicense.productId}&asOf=${lapsedLicense.effectiveDate}"
call "$UPSTREAM/events?types=AGENT_LICENSE_EXPIRED"

step 'appointment: an agency may sell in Texas, but a producer whom the carrier has not appointed sold a policy, which is not compliant (agents).'
call "$UPSTREAM/${unappointedAgency}/license-compliance-statuses?stateCode=TX&productId=${unappointedSeller.productId}"
call "$UPSTREAM/${unappointedAgency}/policy-compliance-statuses"

step 'sale: somebody with an adjuster’s license sold a policy, which a producer renewed. The sale stays not compliant; the renewed policy is.'
call "$UPSTREAM/policy-sales?complianceStatus=NOT_COMPLIANT&agentId=${unlicensedSale.agentId}"
call "$UPSTREAM/policy-compliance-statuses?complianceStatus=COMPLIANT&atSale=COMPLIANT&stateCode=TX"

step 'filing: upload the signed copy that a filing waits for, wait for the malware scan, and reply with it.'
FILE=$(printf '${printfPdf}' | call "$UPSTREAM/file-documents" -F 'category=Surplus Lines' -F 'file=@-;filename=affidavit.pdf;type=application/pdf' | member _id)
until call "$UPSTREAM/file-documents/$FILE" | grep -q '"status":"available"'; do sleep 1; done
send "$UPSTREAM/surplus-lines-filings/${filingId}/escalation/messages" -d '${JSON.stringify({ ...checklistItem, body: 'Here is the signed copy.', fileDocumentIds: ['FILE'] }).replace('FILE', `'"$FILE"'`)}'
call "$UPSTREAM/surplus-lines-filings/${filingId}"

step 'registry: synchronize an agency with the registry, which knows of one more license; npm start prints the webhook of it.'
send -X POST "$UPSTREAM/downstream-entity-associations/${demo.downstreamEntityAssociationId}/sync"

step 'night: have the registry report that a license ended yesterday, run what a night does, and read that it expired.'
send -X PUT "$API/sandbox/registry-records/7745120" -d '${JSON.stringify({ licenses: [endedLicense] })}'
RUN=$(call -X POST "$API/sandbox/nightly-run" | member runId)
until call "$API/sandbox/nightly-run/$RUN" | grep -v '"running"'; do sleep 1; done
until call "$UPSTREAM/events?types=AGENT_LICENSE_EXPIRED" | grep -q 451201; do sleep 1; done
call "$UPSTREAM/events?types=AGENT_LICENSE_EXPIRED"

step 'agency: what the agency has to do, with a token of its own.'
TOKEN=$(token '${credentialOf('downstream')}')
call "$API/downstream/actions-required"

step 'operator: import the sample records again; the demo has them, so nothing changes.'
${importOf('downstream')}
${importOf('upstream')}

printf '\\nNext, open ${baseUrl}/docs to read the documentation and try requests.\\n'
`;
}
