import { parseXml } from '@rgrove/parse-xml';
import { readReport } from '../../shared/domain/registry/report-registry.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { every, inTurns } from './measuring.ts';
import { atMost, count, type Row } from './report.ts';

const states = stateCodes.slice(0, 52);
const lines = 12;
const appointments = 30;
/**
 * A night reads thousands of reports: as many as it takes until V8 has compiled the mapping as well as the parser, which both call.
 */
const turns = 100;

const detail = (index: number): string =>
  `<DETAIL><LOA>Line ${index}</LOA><LOA_CODE>${index}</LOA_CODE><AUTHORITY_ISSUE_DATE>04/01/2019</AUTHORITY_ISSUE_DATE>
  <STATUS>Active</STATUS><STATUS_REASON/><STATUS_REASON_DATE>04/01/2019</STATUS_REASON_DATE><CE_COMPLIANCE>IN COMPLIANCE</CE_COMPLIANCE>
  <CE_RENEWAL_DATE>03/31/2027</CE_RENEWAL_DATE><CE_CREDITS_NEEDED>0</CE_CREDITS_NEEDED></DETAIL>`;

const appointment = (index: number): string =>
  `<APPOINTMENT><COMPANY_NAME>Company ${index}</COMPANY_NAME><FEIN>75-12345${10 + index}</FEIN><COCODE>0194${10 + index}</COCODE>
  <LINE_OF_AUTHORITY>Casualty</LINE_OF_AUTHORITY><LOA_CODE>16</LOA_CODE><STATUS>APPOINTED</STATUS><TERMINATION_REASON/>
  <STATUS_REASON_DATE>01/02/2021</STATUS_REASON_DATE><APPONT_RENEWAL_DATE>12/31/2099</APPONT_RENEWAL_DATE><COUNTY_CODE/></APPOINTMENT>`;

const license = `<LICENSE><LICENSE_NUM>0012345</LICENSE_NUM><DATE_UPDATED>05/01/2026</DATE_UPDATED>
  <DATE_ISSUE_LICENSE_ORIG>04/01/2019</DATE_ISSUE_LICENSE_ORIG><DATE_EXPIRE_LICENSE>03/31/2027</DATE_EXPIRE_LICENSE>
  <LICENSE_CLASS>Insurance Producer</LICENSE_CLASS><LICENSE_CLASS_CODE>1</LICENSE_CLASS_CODE><RESIDENCY_STATUS>NR</RESIDENCY_STATUS>
  <ACTIVE>Yes</ACTIVE><DETAILS>${every(lines, detail).join('\n')}</DETAILS></LICENSE>`;

const state = (code: string): string =>
  `<STATE name="${code}">${license}<APPOINTMENT_INFORMATION>${every(appointments, appointment).join('\n')}</APPOINTMENT_INFORMATION></STATE>`;

const text = `<?xml version="1.0"?><PDB><PRODUCER><INDIVIDUAL><ENTITY_BIOGRAPHIC><BIOGRAPHIC><NPN>17654321</NPN></BIOGRAPHIC></ENTITY_BIOGRAPHIC>
  <PRODUCER_LICENSING><LICENSE_INFORMATION>${states.map(state).join('')}</LICENSE_INFORMATION></PRODUCER_LICENSING></INDIVIDUAL></PRODUCER></PDB>`;

/** What a report of 52 states takes to be read, beside the bare parse of its text. */
export async function measure(): Promise<Row[]> {
  const report = readReport(text);
  if (report?.appointments.length !== states.length * appointments) throw new Error('Rows are missing.');
  const { own, other } = await inTurns(
    turns,
    () => readReport(text),
    () => parseXml(text),
  );
  const what = `a registry report of ${states.length} states, ${count(text.length / 1_000)} KB, mapped`;
  const parse = `bare parse of its XML: ${count(other)} ms`;
  return [atMost(2, own / other, what, `${count(own)} ms`, parse)];
}
