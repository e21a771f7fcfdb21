import { type DispositionKind, dispositionKindOf } from '#domain/decision/orders.ts';

const dispositions: Readonly<Record<DispositionKind, readonly string[]>> = {
  'in force': [
    'Suspension',
    'License, Revoked',
    'LICENSE REVOKED; FINE',
    'Voluntary Surrender',
    'Barred from the Business of Insurance',
    'Permanently Barred',
    'Debarment',
    'License, Cancelled',
    'Injunction',
    'Stay Lifted - Suspension',
    'Fine and License Suspended',
    'Revocation - Appeal Denied',
    'Revocation; Appeal Denied',
    'Consent Order; Suspension; Monetary Penalty',
    'Restitution, Suspended',
    'Suspension - Reinstatement Denied',
    'Suspended: Application for Reinstatement Denied',
    'Revocation - Application for Stay Denied',
  ],
  'not known': [
    '',
    'Cease & Desist',
    'Cease and Desist; Fine',
    'Order 12',
    'Suspension; Stayed',
    'Revoked, Reinstated',
  ],
  over: [
    'Suspension Vacated',
    'Revocation Set Aside',
    'Revocation Overturned',
    'Suspension Terminated',
    'Order of Reinstatement After Suspension',
    'Previous Order Vacated',
    'Suspension Stayed',
    'Suspension Lifted',
    'Reinstated; Fine',
  ],
  none: [
    'Monetary Penalty',
    'Monetary Penalty, Suspended',
    'Fine Suspended',
    'Fine, Stayed',
    'Suspension of Fine',
    'Denial Revoked',
    'License Denied',
    'Show Cause - Revocation',
    'Application for Revocation Denied',
    'Application for Reinstatement Denied',
    'Revocation Denied',
    'Reinstatement Denied',
    'Order to Show Cause Why License Should Not Be Revoked',
    'Probation',
    'Hearing Costs; Other',
  ],
};

describe.each(Object.entries(dispositions))('An order is %s', (kind, all) => {
  test.each(all)('by %p', (disposition) => {
    expect(dispositionKindOf(disposition)).toBe(kind);
  });
});
