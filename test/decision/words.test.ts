import { readFileSync } from 'node:fs';
import { type ClassKind, type ClassKindVersion, classKindOf } from '#domain/decision/classes.ts';
import { type DispositionKind, dispositionKindOf } from '#domain/decision/orders.ts';
import { type ReasonDraft, reasonOf } from '#domain/decision/reasons.ts';
import { isForCause, type StatusKind, statusKindOf } from '#domain/registry/words.ts';

// What the words of states say, statuses, classes, termination reasons, dispositions, and whose matter a reason is.

describe('A status', () => {
  const statuses: Record<StatusKind, readonly string[]> = {
    live: 'Active|ACTIVE - RENEWED|In-Force|Current|Valid/Issued|Active (CE Exempt)|Probation|Y'.split('|'),
    ended: ['Revoked', 'Active - Revoked', 'Voluntary Surrender', 'NOT ACTIVE', 'Suspended, Rvkd'],
    lapsed: ['Expired', 'Non-Renewed', 'Lapsed (grace period)', 'Active; Failed to Renew'],
    inactive: ['Inactive', 'No', 'N/A'],
    pending: ['Pending', 'In Process', 'Active / Applied', 'Denied'],
    unrecognized: ['Rvkd', 'Active - Rvkd', '', 'Resident', 'Renewal Pending', 'Term', 'Appointed'],
  };
  const asRows = Object.entries(statuses).flatMap(([kind, all]) =>
    all.map((status) => [status, kind] as const),
  );

  test.each(asRows)('%p of a license is %s', (status, kind) => {
    expect(statusKindOf(status, 'license')).toBe(kind);
  });

  test.each([
    ['Appointed', null, 'live'],
    ['Approved', 'N/A', 'live'],
    ['Appointed', 'Cancelled by company', 'ended'],
    ['Inactive', null, 'ended'],
    ['Termed', null, 'ended'],
    ['For Cause', null, 'ended'],
    ['Pending', 'none', 'pending'],
    ['Appointed', 'New Appointment', 'live'],
    ['Appointed', 'Not for cause', 'ended'],
  ])('%p of an appointment, terminated by %p, is %s', (status, reason, kind) => {
    expect(statusKindOf(status, 'appointment', reason)).toBe(kind);
  });
});

test.each([
  ['For Cause', true],
  ['TERMINATED - CAUSE', true],
  ['NOT FOR CAUSE', false],
  ['Resigned because of relocation', false],
  ['For Cause: No', false],
  ['For Cause - No Longer Trusted', true],
  ['Other than for cause', false],
  ['Without cause', false],
  ['w/o cause', false],
  ['No Cause', false],
  ['not for cause; later cause', true],
  ['Moved', false],
  [null, false],
])('The reason %p is a cause: %p', (reason, isCause) => {
  expect(isForCause(reason)).toBe(isCause);
});

describe('A class', () => {
  const ofClass = (licenseClassCode: string | null, licenseClassName: string | null) =>
    ({ stateCode: 'TX', licenseClassCode, licenseClassName }) as const;

  const table = readFileSync(`${import.meta.dirname}/license-classes.tsv`, 'utf8');
  const names = table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): [string, string] => {
      const [, , name = '', , , kind = ''] = line.split('\t');
      return [name, kind];
    });

  test.each(names)('called %p is of the kind %s', (name, kind) => {
    expect(classKindOf(ofClass(null, name), [])).toBe(kind);
  });

  test('is read with its hyphens apart', () => {
    expect(classKindOf(ofClass(null, 'Non-Admitted Broker'), [])).toBe('surplus lines');
  });

  test('without a name is not recognized', () => {
    expect(classKindOf(ofClass('PRO', null), [])).toBe('unrecognized');
  });

  const said = (kind: ClassKind | null, fields: Partial<ClassKindVersion>): ClassKindVersion => ({
    stateCode: 'TX',
    classCode: null,
    className: null,
    kind,
    recordedAt: '2026-01-01T00:00:00.000Z',
    isOwn: false,
    ...fields,
  });

  test.each<[string, string | null, string | null, ClassKind, readonly ClassKindVersion[]]>([
    ['by its code', 'Pro ', 'Manager', 'producer', [said('producer', { classCode: 'PRO' })]],
    ['by its name', 'X', 'MANAGER', 'producer', [said('producer', { className: 'manager' })]],
    ['by both', 'X', 'Manager', 'unrecognized', [said('producer', { classCode: 'Y', className: 'Manager' })]],
    ['of rows without one', null, null, 'producer', [said('producer', {})]],
    ['of rows without one alone', 'X', null, 'unrecognized', [said('producer', {})]],
    [
      'of its state alone',
      'PRO',
      null,
      'unrecognized',
      [said('producer', { stateCode: 'OK', classCode: 'PRO' })],
    ],
    [
      'last',
      'PRO',
      null,
      'adjuster',
      [
        said('adjuster', { classCode: 'PRO', recordedAt: '2026-02-01T00:00:00.000Z' }),
        said('producer', { classCode: 'PRO' }),
      ],
    ],
    [
      'by the organization',
      'PRO',
      null,
      'producer',
      [
        said('producer', { classCode: 'PRO', isOwn: true }),
        said('other', { classCode: 'PRO', recordedAt: '2026-02-01T00:00:00.000Z' }),
      ],
    ],
    [
      'and not taken back',
      'PRO',
      'Warehouse',
      'adjuster',
      [
        said('producer', { classCode: 'PRO', isOwn: true }),
        said(null, { classCode: 'pro', isOwn: true, recordedAt: '2026-02-01T00:00:00.000Z' }),
        said('adjuster', { className: 'Warehouse' }),
        said(null, { className: 'Warehouse', isOwn: true, recordedAt: '2026-02-01T00:00:00.000Z' }),
      ],
    ],
  ])('is what is said of it %s', (_how, code, name, kind, versions) => {
    expect(classKindOf(ofClass(code, name), versions)).toBe(kind);
  });
});

test.each<[ReasonDraft['code'], string]>([
  ['license_missing', 'seller'],
  ['company_unknown', 'company'],
  ['state_not_configured', 'product'],
  ['product_unknown', 'product'],
])('The reason %s is a matter of the %s', (code, party) => {
  const reason = reasonOf({ party: 'seller', name: 'Ann Lee', stateCode: 'TX' }, 'license', { code });
  expect(reason.party).toBe(party);
  expect(reason.message.startsWith('Ann Lee: ')).toBe(party === 'seller');
});

const dispositions: Readonly<Record<DispositionKind, string>> = {
  'in force':
    'Suspension | License, Revoked | LICENSE REVOKED; FINE | Voluntary Surrender | Barred from the Business of Insurance | Permanently Barred | Debarment | License, Cancelled | Injunction | Stay Lifted - Suspension | Fine and License Suspended | Revocation - Appeal Denied | Revocation; Appeal Denied | Consent Order; Suspension; Monetary Penalty | Restitution, Suspended | Suspension - Reinstatement Denied | Suspended: Application for Reinstatement Denied | Revocation - Application for Stay Denied | Suspension of License/Fine | Suspension of License - Fine | Revocation of license - penalty | Fine; Revoked | Civil Penalty/Revoked | Order to Show Cause / Summary Suspension | Stay of Suspension Lifted | Stay Was Lifted | Motion for Stay Denied - Suspension Remains in Effect | Request for Hearing Denied - Revocation Upheld',
  'not known':
    ' | Cease & Desist | Probation Terminated - License Revoked | Cease and Desist; Fine | Order 12 | Suspension; Stayed | Revoked, Reinstated | Suspension - Lifted | Suspension Reinstated | Suspension No Longer Stayed | Suspension Not Lifted | Not Reinstated | Reinstatement Vacated | Previous Order Vacated and License Revoked | Stay Terminated | Order to Show Cause and Summary Suspension | Show Cause; Vacated | Motion to Vacate Suspension Denied | Denial of Renewal and Revocation of License | Reinstatement of License Denied | Suspension With Fine Stayed | License, Terminated | Appointment Terminated | Hearing; License Terminated | Lic. Terminated | License, Terminated; Reinstatement Denied | License Terminated; Suspension Lifted | Licensure Terminated | Terminated for Cause | License terminated by consent order | Suspension Withdrawn | Suspension Held in Abeyance | Fully Probated Suspension | Fine in lieu of suspension | Proposed Revocation | Not Revoked',
  over: 'Terminated | License Reinstated; Probation | Suspension Vacated | Revocation Set Aside | Revocation Overturned | Suspension Terminated | Order of Reinstatement After Suspension | Suspension of License Lifted | License Reinstated | Previous Order Vacated | Suspension Stayed | Suspension Lifted | Reinstated; Fine',
  none: 'Probation Terminated | Settlement Vacated | Consent Order Terminated; Producer Fined | Supervision Terminated | Probation - Lifted | Terminated Probation | Reprimand Rescinded | Monetary Penalty | Monetary Penalty, Suspended | Fine Suspended | Fine, Stayed | Fine - Vacated | Suspension of Fine | Denial Revoked | License Denied | Show Cause - Revocation | Application for Revocation Denied | Application for Reinstatement Denied | Revocation Denied | Reinstatement Denied | Order to Show Cause Why License Should Not Be Revoked | Probation | Hearing Costs; Other',
};

describe.each(Object.entries(dispositions))('An order is %s', (kind, all) => {
  test.each(all.split(' | '))('by %p', (disposition) => {
    expect(dispositionKindOf(disposition)).toBe(kind);
  });
});

test('The remedy of an unrecognized class helps where the product names classes too', () => {
  const { remedy } = reasonOf({ party: 'seller', stateCode: 'TX' }, 'license', {
    code: 'class_unrecognized',
  });
  expect(remedy).toMatch(/^Import the class of the license in TX .* or, .* have its kind imported\.$/);
});
