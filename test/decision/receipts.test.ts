import * as fc from 'fast-check';
import { coverageOf } from '#domain/decision/coverage.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { noCoverage } from '#domain/registry-records/store.ts';
import { answerOf, type ResolvedCheck } from '#domain/sale-checks/answer.ts';
import { hashOf, type Receipt, shownSources, sourcesOf } from '#domain/sale-checks/receipt.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { reproductionOf } from '../../functions/compliance/get-receipt.ts';
import { type CaseCommand, recordedBy } from './case-rows.ts';
import { asked, byHeads, commands, configs, holds, stored } from './histories.ts';

const id = (number: number): string => number.toString(16).padStart(24, '0');
const productId = id(9);

/** Transactions have ids as everywhere. */
const recordsOf = (history: readonly CaseCommand[]) =>
  recordedBy(
    history.map((command) =>
      command.kind === 'sale'
        ? { ...command, sale: { ...command.sale, transactionId: id(Number(command.sale.transactionId)) } }
        : command,
    ),
  );

it('decides the same by heads, and again from what a receipt keeps of them, whatever was recorded', () =>
  holds(
    fc.property(
      fc.tuple(commands, commands),
      asked,
      configs,
      fc.constantFrom(null, 7),
      fc.option(fc.constantFrom('active' as const, 'inactive' as const)),
      (
        [ofSeller, ofAgency],
        { day, knownAt, stateCode, carrier, company, classKinds = [] },
        versions,
        days,
        status,
      ) => {
        const folded = new Map([
          ['1', coverageOf(recordsOf(ofSeller), knownAt, classKinds)],
          ['2', coverageOf(recordsOf(ofAgency), knownAt, classKinds)],
        ]);
        const heads = new Map(Array.from(folded, ([npn, one]) => [npn, byHeads(one)]));
        const coveragesOf = (of: typeof folded) => (npn: string | null) => of.get(npn ?? '') ?? noCoverage;
        const now = new Date(knownAt);
        const inputs = {
          knownAt,
          today: newYorkDate(now),
          carrier: { ...carrier, verifiedWithinDays: days },
          coverageOf: coveragesOf(heads),
          configsOf: () => versions.map((one) => ({ ...one, productId, productName: 'Cargo' })),
        };
        const associations = [{ downstreamEntityAssociationId: id(3), status, isNpnRequired: true }];
        const check: ResolvedCheck = {
          reference: null,
          stateCode: stateCode as ResolvedCheck['stateCode'],
          date: day,
          isPresent: false,
          seller: { agentId: id(1), npn: '1', firstName: 'Maria', lastName: 'Delgado' },
          agency: {
            downstreamEntityAssociationId: id(3),
            downstreamEntityId: id(4),
            legalName: 'Lone Star',
            producerCode: null,
            npn: '2',
          },
          product: { productId, productName: 'Cargo' },
          company: company?.naicCode === undefined ? null : { carrierNaicCode: company.naicCode, name: null },
          found: [],
          ofToday: {
            seller: { authority: [], isArchived: false, associations: [] },
            agency: { authority: null, isArchived: null, associations },
          },
        };
        const answer = answerOf(check, inputs);
        expect(answer).toEqual(answerOf(check, { ...inputs, coverageOf: coveragesOf(folded) }));
        const { sources, parties } = sourcesOf([check], inputs);
        const question = { seller: { npn: '1' }, product: { productId }, stateCode };
        const receipt = {
          jws: '',
          payload: {
            receiptId: id(5),
            organizationId: id(6),
            asOf: day,
            knownAt,
            iat: Math.floor(now.getTime() / 1_000),
            rules: rulesNumber,
            checks: [{ ...answer, asked: question }],
            sourcesHash: hashOf(shownSources(sources)),
          },
          resolved: [{ isPresent: false, found: [], parties: parties[0] }],
          sources,
        };
        expect(reproductionOf(stored(receipt) as Receipt)).toEqual({ reproduced: true });
      },
    ),
    100,
  ));
