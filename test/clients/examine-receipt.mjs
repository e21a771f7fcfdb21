// What an examiner needs of a receipt: `node examine-receipt.mjs receipt.json jwks.json`, with what `GET …/sale-checks/{receiptId}`
// and `GET /v2/jwks.json` answered. It verifies the signature and the hash of the sources, and prints on what each answer rests.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [receipt, { keys }] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const { jws, sources } = receipt.data ?? receipt;

/** RFC 8785: members in the order of their names, and numbers and strings as JSON.stringify writes them. */
const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
};

const say = (line) => process.stdout.write(`${line}\n`);

const fail = (message) => {
  say(message);
  process.exit(1);
};

const [head, payload, signature] = jws.split('.');
const decoded = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());
const jwk =
  keys.find(({ kid }) => kid === decoded(head).kid) ?? fail('The key of the receipt is not among the keys.');
const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
const signed = Buffer.from(`${head}.${payload}`);
if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) fail('The signature is wrong.');
const { checks, knownAt, rules, sourcesHash } = decoded(payload);
const hash = createHash('sha256').update(canonical(sources)).digest('hex');
if (hash !== sourcesHash) fail('These are not the sources that were signed.');
say(`The signature and the sources are right. Known at ${knownAt}, rules ${rules}.`);

/** The days that a day is among. */
const on = (date, days) => days.findLast(({ from }) => from === null || from <= date);

const print = (npn, stateCode, date) => {
  const { rows, days, actions } =
    sources.parties.find((one) => one.npn === npn && one.stateCode === stateCode) ?? {};
  for (const { kind, stateCode: state, days: spans, lines } of days ?? []) {
    const { is, from, row, statedAt } = on(date, spans);
    const { licenseNumber, carrierName, lineOfAuthorityCode, status, by } = rows[row] ?? {};
    const what = licenseNumber ?? `${carrierName}, line ${lineOfAuthorityCode ?? 'all'}`;
    say(
      `  ${npn}: ${kind} ${what} in ${state}, ${status}: ${is} since ${from}, by the ${by} as of ${statedAt}`,
    );
    for (const { names, days: ofLine } of lines) say(`    line ${names[0]}: ${on(date, ofLine).is}`);
  }
  for (const { actionId, is, from, until } of actions ?? [])
    say(`  ${npn}: order ${actionId} ${is} from ${from} until ${until}`);
};

for (const { answer, asked, date, seller, agency, reasons, warnings } of checks) {
  say(`${answer} on ${date} in ${asked.stateCode}`);
  for (const party of [seller, agency]) if (party?.npn) print(party.npn, asked.stateCode, date);
  for (const { party, code, rule, message } of [...reasons, ...warnings])
    say(`  ${party} ${code} by rule ${rule}: ${message}`);
}
