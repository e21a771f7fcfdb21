import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import {
  createStatusesAt,
  heldByReceivers,
  type ProductStatuses,
  reported,
} from '../../../../shared/domain/baselines/baseline.ts';
import {
  bytes,
  type ChangedProduct,
  changedProducts,
  inParts,
  packed,
  unpacked,
} from '../../../../shared/domain/compliance-changes/report.ts';
import {
  type ChangeWindow,
  longestMs,
  quietMs,
  untilDue,
  withChange,
} from '../../../../shared/domain/compliance-changes/store.ts';
import { rulesNumber } from '../../../../shared/domain/decision/reasons.ts';
import { recordsAmong } from '../../../../shared/domain/registry-records/stored-records.ts';
import { stateCodes } from '../../../../shared/platform/contract/primitives.ts';
import { licenseOf } from '../../../support/agency-records.ts';
import { recordedItems } from '../../../support/holders.ts';

describe('changed products', () => {
  const statusNames = ['Licensed', 'Missing License', 'Expired License'] as const;
  const state = fc.record({
    stateCode: fc.constantFrom(...stateCodes),
    complianceStatus: fc.constantFrom('COMPLIANT' as const, 'NOT_COMPLIANT' as const),
    licenseStatus: fc.record({ statusName: fc.constantFrom(...statusNames) }),
    appointmentStatus: fc.record({
      statusName: fc.constantFrom('Appointed' as const, 'Not Required' as const),
    }),
  });
  const products = fc.uniqueArray(
    fc.record({
      productId: fc.constantFrom('a', 'b', 'c', 'd').map((letter) => letter.repeat(24)),
      productName: fc.constantFrom('Cargo', 'Cyber', 'Größe'),
      states: fc.uniqueArray(state, { selector: ({ stateCode }) => stateCode, maxLength: 12 }),
    }),
    { selector: ({ productId }) => productId, maxLength: 4 },
  );

  /** What a receiver that follows the events holds of an NPN's statuses. */
  function applied(before: readonly ProductStatuses[], changed: readonly ChangedProduct[]) {
    const held = new Map(
      before.flatMap(({ productId, states }) =>
        states.map(({ stateCode, complianceStatus, licenseStatus, appointmentStatus }) => [
          `${productId} ${stateCode}`,
          `${complianceStatus} ${licenseStatus.statusName} ${appointmentStatus.statusName}`,
        ]),
      ),
    );
    for (const { productId, states } of changed) {
      for (const { stateCode, complianceStatus, licenseStatus, appointmentStatus } of states) {
        const key = `${productId} ${stateCode}`;
        if (licenseStatus.statusName === 'STATE_REMOVED') held.delete(key);
        else held.set(key, `${complianceStatus} ${licenseStatus.statusName} ${appointmentStatus.statusName}`);
      }
    }
    return held;
  }

  test('the reported changes applied to the last report give the current statuses', () =>
    fc.assert(
      fc.property(products, products, (before, after) => {
        const changed = changedProducts(reported(before), after);
        expect(applied(before, changed)).toEqual(applied(after, []));
      }),
    ));

  test('without a change there is no event', () =>
    fc.assert(
      fc.property(products, (statuses) => {
        expect(changedProducts(reported(statuses), statuses)).toEqual([]);
      }),
    ));

  test('a removed state is STATE_REMOVED, without a compliance status', () => {
    const gone = {
      productId: 'a'.repeat(24),
      productName: 'Cargo',
      states: [
        {
          stateCode: 'TX' as const,
          complianceStatus: 'COMPLIANT' as const,
          licenseStatus: { statusName: 'Licensed' as const },
          appointmentStatus: { statusName: 'Not Required' as const },
        },
      ],
    };
    const states = [
      {
        stateCode: 'TX',
        licenseStatus: { statusName: 'STATE_REMOVED' },
        appointmentStatus: { statusName: 'STATE_REMOVED' },
      },
    ];
    expect(changedProducts(reported([gone]), [{ ...gone, states: [] }])).toEqual([
      { productId: gone.productId, productName: 'Cargo', states },
    ]);
    expect(changedProducts(reported([gone]), [])).toEqual([
      { productId: gone.productId, productName: 'Cargo', states },
    ]);
  });

  test('parts contain every state once and in order, and each fits', () =>
    fc.assert(
      fc.property(products, fc.integer({ min: 400, max: 4_000 }), (before, most) => {
        const changed = changedProducts({}, before);
        const parts = inParts(changed, most);
        const places = (some: readonly ChangedProduct[]) =>
          some.flatMap(({ productId, states }) => states.map(({ stateCode }) => `${productId} ${stateCode}`));
        expect(parts.flatMap(places)).toEqual(places(changed));
        for (const part of parts) {
          expect(bytes(part)).toBeLessThanOrEqual(most + 2);
          expect(part.every(({ states }) => states.length > 0)).toBe(true);
        }
      }),
    ));

  test('what changed is unpacked as it was packed', () =>
    fc.assert(
      fc.property(products, products, (agent, agency) => {
        const changed = {
          agent: changedProducts({}, agent),
          agency: changedProducts(reported(agent), agency),
        };
        expect(unpacked(packed(changed))).toEqual(changed);
      }),
    ));

  test('what changed of hundreds of products fits an item: without its messages, where these are too long', () => {
    const long = Array.from({ length: 200 }, (_, index) => ({
      productId: index.toString(16).padStart(24, '0'),
      productName: 'Cargo',
      states: stateCodes.map((stateCode) => ({
        stateCode,
        complianceStatus: 'NOT_COMPLIANT' as const,
        licenseStatus: {
          statusName: 'Missing License' as const,
          statusMessages: [randomBytes(500).toString('base64')],
        },
        appointmentStatus: { statusName: 'Not Required' as const },
      })),
    }));
    const bytesOfChange = packed({ agent: long, agency: [] });
    expect(bytesOfChange.length).toBeLessThan(100 * 1_024);
    expect(unpacked(bytesOfChange).agent).toEqual(
      long.map(({ states, ...product }) => ({
        ...product,
        states: states.map((state) => ({ ...state, licenseStatus: { statusName: 'Missing License' } })),
      })),
    );
  });
});

describe('window', () => {
  const start = Date.parse('2026-06-01T09:00:00.000Z');
  /** Changes as they follow each other, in milliseconds. */
  const gaps = fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 80 });

  /** The window as changes move it, for as long as it is open. */
  function windowAfter(between: readonly number[]): { open: ChangeWindow; last: number } {
    let at = start;
    let open = withChange(undefined, new Date(at));
    for (const gap of between) {
      if (at + gap >= Date.parse(open.deliverAfter)) break;
      at += gap;
      open = withChange(open, new Date(at));
    }
    return { open, last: at };
  }

  test('no event is later than 30 minutes after the first change', () =>
    fc.assert(
      fc.property(gaps, (between) => {
        const { open } = windowAfter(between);
        expect(Date.parse(open.firstChangeAt)).toBe(start);
        expect(Date.parse(open.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
      }),
    ));

  test('no event is earlier than a minute after the last change, except at the cap', () =>
    fc.assert(
      fc.property(gaps, (between) => {
        const { open, last } = windowAfter(between);
        const due = Date.parse(open.deliverAfter);
        expect(due === last + quietMs || (due === start + longestMs && due < last + quietMs)).toBe(true);
      }),
    ));

  test('a clock that is behind never moves a window back', () =>
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: 600_000 }), (between, behind) => {
        const { open, last } = windowAfter(between);
        const again = withChange(open, new Date(last - behind));
        expect(again.deliverAfter >= open.deliverAfter).toBe(true);
        expect(Date.parse(again.deliverAfter)).toBeLessThanOrEqual(start + longestMs);
      }),
    ));

  test('a window is due at its time, not before', () => {
    const open = withChange(undefined, new Date(start));
    expect(untilDue(open, new Date(start))).toBe(60_000);
    expect(untilDue(open, new Date(start + 59_999))).toBe(1);
    expect(untilDue(open, new Date(start + 61_000))).toBe(0);
  });
});

describe('baseline', () => {
  const owner = '65f0c1d2e3a4b5c6d7e8f900';
  const productId = '65f0c1d2e3a4b5c6d7e8f905';
  const recordedAt = '2026-02-01T09:00:00.000Z';
  const reportedAt = '2026-03-01T09:00:00.000Z';
  const now = '2026-06-01T09:00:00.000Z';

  const entry = {
    validFrom: '2026-01-01',
    recordedAt: '2026-01-01T09:00:00.000Z',
    isSilent: false,
    hash: '',
  };
  const config = {
    head: {
      productId,
      createdAt: entry.recordedAt,
      updatedAt: entry.recordedAt,
      deletions: [],
      revision: 1,
      present: { ...entry, productName: 'Cargo' },
      isFirst: true,
      nextFrom: null,
      recordedAt: entry.recordedAt,
      recordedThatDay: 1,
    },
    entries: [entry],
    versions: [
      {
        productId,
        productName: 'Cargo',
        states: [{ stateCode: 'TX' as const, linesOfAuthority: [], appointment: 'not required' as const }],
        ...entry,
      },
    ],
  };

  const licenseOfClass = (licenseClassName: string, at: string, isSilent = false, status = 'active') =>
    recordedItems(
      owner,
      {
        licenses: [
          licenseOf({
            npn: '1000000',
            licenseNumber: licenseClassName,
            licenseClassCode: null,
            licenseClassName,
            status,
            nextRenewalDate: null,
            linesOfAuthority: [],
          }),
        ],
      },
      at,
      isSilent,
    );

  /** Somebody with a license of a class since before the last report. */
  const recordedOf = (licenseClassName: string, later: readonly Record<string, unknown>[] = []) => ({
    records: recordsAmong([...licenseOfClass(licenseClassName, recordedAt), ...later]),
    configs: [config],
    classKinds: [],
    carrier: { name: 'Beacon', naicCodes: [], eins: [] },
    carriersBefore: [],
  });

  /** What earlier rules reported, which took the license for any other. */
  const baselineOf = (rules: number) => ({
    knownAt: reportedAt,
    at: reportedAt,
    rules,
    agent: { [productId]: { productName: 'Cargo', states: { TX: 'COMPLIANT/Licensed/Not Required' } } },
  });

  const changesOf = (recorded: ReturnType<typeof recordedOf>, rules: number) => {
    const statusesAt = createStatusesAt(recorded);
    const held = heldByReceivers('agent', recorded, statusesAt, baselineOf(rules), now);
    return changedProducts(held, statusesAt('agent', now));
  };

  it.each(['Adjuster', 'Bail Bondsman', 'Consultant', 'Title', 'Nobody knows'])(
    'sends nothing of a license of the class %s, whose answer another number of the rules changes',
    (name) => {
      expect(changesOf(recordedOf(name), rulesNumber - 1)).toEqual([]);
    },
  );

  it('sends the same difference where the present rules made the baseline', () => {
    const [product] = changesOf(recordedOf('Adjuster'), rulesNumber);
    expect(product?.states).toMatchObject([
      { stateCode: 'TX', licenseStatus: { statusName: 'Wrong License Class' } },
    ]);
  });

  it('sends what changed since the baseline that is made again', () => {
    const producer = licenseOfClass('Producer', '2026-04-01T09:00:00.000Z');
    const [product] = changesOf(recordedOf('Adjuster', producer), rulesNumber - 1);
    expect(product?.states).toMatchObject([{ stateCode: 'TX', complianceStatus: 'COMPLIANT' }]);
  });

  describe('after silent imports', () => {
    const wrongClass = 'NOT_COMPLIANT/Wrong License Class/Not Required';
    const last = {
      ...baselineOf(rulesNumber),
      agent: { [productId]: { productName: 'Cargo', states: { TX: wrongClass } } },
    };
    const [silent, loud] = [true, false];

    /** The compliance statuses that are sent of somebody with an adjuster's license, after imports of other licenses. */
    const sentAfter = (
      ...imports: readonly (readonly [at: string, isSilent: boolean, of: string, status?: string])[]
    ) => {
      const items = imports.flatMap(([day, isSilent, of, status]) =>
        licenseOfClass(of, `${day}T09:00:00.000Z`, isSilent, status),
      );
      const recorded = recordedOf('Adjuster', items);
      const statusesAt = createStatusesAt(recorded);
      const held = heldByReceivers('agent', recorded, statusesAt, last, now);
      return changedProducts(held, statusesAt('agent', now)).flatMap(({ states }) =>
        states.map((state) => 'complianceStatus' in state && state.complianceStatus),
      );
    };

    it('sends nothing of what they changed', () => {
      expect(sentAfter(['2026-04-01', silent, 'Producer'])).toEqual([]);
      expect(sentAfter(['2026-04-01', silent, 'Producer'], ['2026-04-01', silent, 'Title'])).toEqual([]);
      expect(sentAfter(['2026-04-01', loud, 'Producer'])).toEqual(['COMPLIANT']);
    });

    it('sends what others changed before, between, and after them', () => {
      expect(sentAfter(['2026-04-01', loud, 'Producer'], ['2026-04-02', silent, 'Title'])).toEqual([
        'COMPLIANT',
      ]);
      expect(
        sentAfter(['2026-04-01', silent, 'Producer'], ['2026-04-02', loud, 'Producer', 'revoked']),
      ).toEqual(['NOT_COMPLIANT']);
      expect(
        sentAfter(
          ['2026-04-01', silent, 'Producer'],
          ['2026-04-02', loud, 'Producer', 'revoked'],
          ['2026-04-03', silent, 'Title'],
        ),
      ).toEqual(['NOT_COMPLIANT']);
    });
  });
});
