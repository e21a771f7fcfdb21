import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { simulatedKeys } from '#domain/registry/simulated-record.ts';
import { jobsOf } from '../../functions/registry-reconciliation/reconcile.ts';
import type { AwsMiddleware } from '../../infra/local/aws/endpoint.ts';
import { type Access, answerJson, bodyOf, callAws, targetOf } from '../../infra/local/aws/service.ts';
import { sendMessage } from '../support/queues.ts';
import { draw } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import type { Carrier } from './carriers.ts';
import { command, request } from './client.ts';

// A registry of which the record of one agency of each carrier changes while answers about it are on their way: the agency has a
// license in turns, and whoever sells for it may or may not.

/** Milliseconds of the machine for which an answer is on its way, and of the others how many are. */
const heldMs = 2_000;
const heldShare = 0.25;
/** How long a change waits at most for a question of which the answer is then too old. */
const longestWaitMs = 5_000;
/** Sale checks after each change. */
const checksEach = 5;
const pauseMs = 500;

const recordOf = (isLicensed: boolean, npn: string) => {
  const license = {
    stateCode: 'TX',
    licenseNumber: npn,
    licenseClassCode: '1',
    licenseClassName: 'Insurance Producer',
  };
  const states = { status: 'active', residencyStatus: 'resident', issueDate: '2020-01-01' };
  const dates = { nextRenewalDate: null, expirationDate: null, linesOfAuthority: [] };
  return { licenses: isLicensed ? [{ ...license, ...states, ...dates }] : [] };
};

/** Whether a carrier may sell now, and when that was verified. */
export async function saleCheck({ changing, tokens: [headers = {}] }: Carrier) {
  const { sellerNpn: npn, productId, associationId } = changing;
  const query = new URLSearchParams({
    npn,
    productId,
    stateCode: 'TX',
    downstreamEntityAssociationId: associationId,
  });
  const { data } = await request('GET', `/v2/upstream/sale-checks?${query}`, { headers });
  const { answer, verifiedAt } = data as { readonly answer?: string; readonly verifiedAt?: string | null };
  return { answer, verifiedAt: Date.parse(verifiedAt ?? '') };
}

const answered = z.looseObject({ Item: z.optional(z.unknown()) });
const read = z.looseObject({
  Key: z.object({ pk: z.object({ S: z.string() }), sk: z.optional(z.object({ S: z.string() })) }),
});

/** @param now the clock of the run. */
export function changingRegistry(seed: string, now: () => number) {
  const licensed = new Map<Carrier, boolean>();
  const wrong: string[] = [];
  let questions = 0;
  const answers: Record<string, number> = {};
  let isAbout = false;
  let isOver = false;

  /** Asks by a poll and a synchronization at once. */
  async function ask({ changing, tokens: [headers = {}] }: Carrier, key: string): Promise<void> {
    const at = new Date(now());
    const jobs = jobsOf([changing.npn], { asOf: at, startedAt: at, position: 0 });
    for (const job of jobs) await sendMessage('registry-reconciliation', JSON.stringify(job));
    const path = `/v2/upstream/downstream-entity-associations/${changing.associationId}/sync`;
    await request('POST', path, { headers, key });
  }

  async function change(carrier: Carrier, round: number): Promise<void> {
    const { npn } = carrier.changing;
    const isLicensed = licensed.get(carrier) !== true;
    const asked = questions;
    isAbout = true;
    const before = ask(carrier, `${seed} before ${round}`);
    await until(() => questions > asked, 20, longestWaitMs).catch(() => undefined);
    await command('set-registry-record', { npn, record: recordOf(isLicensed, npn) });
    const changedAt = now();
    licensed.set(carrier, isLicensed);
    isAbout = false;
    await Promise.all([before, ask(carrier, `${seed} after ${round}`)]);
    for (let check = 0; check < checksEach; check += 1) {
      const { answer, verifiedAt } = await saleCheck(carrier);
      answers[String(answer)] = (answers[String(answer)] ?? 0) + 1;
      if (verifiedAt > changedAt && answer === (isLicensed ? 'no' : 'yes'))
        wrong.push(`${npn} is wrongly ${answer}, verified ${verifiedAt - changedAt} ms after its change`);
      await pause(pauseMs);
    }
  }

  return {
    /** Answers about these agencies that arrive as old as their question. @param engine has the records. */
    hold: (engine: Access): AwsMiddleware => {
      const { pk, sk } = simulatedKeys.record('');
      return async ({ caller, service, request: asked, response }, next) => {
        if (caller.isCode !== true || service !== 'dynamodb' || targetOf(asked).operation !== 'GetItem')
          return next();
        const body = bodyOf(asked, read);
        if (!body.Key.pk.S.startsWith(pk) || body.Key.sk?.S !== sk) return next();
        const target = String(asked.headers['x-amz-target']);
        const answer = await callAws(engine, { service, target }, body, answered);
        questions += 1;
        const isHeld = isAbout || draw(seed, 'registry', questions) < heldShare;
        if (answer.Item !== undefined && isHeld) await pause(heldMs);
        answerJson(response, answer);
      };
    },
    /** Changes one record after the other until it is stopped. */
    start(carriers: readonly Carrier[]): () => Promise<void> {
      const changing = (async () => {
        for (let round = 0; !isOver; round += 1) {
          for (const carrier of carriers) if (!isOver) await change(carrier, round);
        }
      })();
      changing.catch(() => undefined);
      return () => {
        isOver = true;
        return changing;
      };
    },
    /** Answers that were wrong when they were given, or are in the end. */
    async wrongAnswers(): Promise<string[]> {
      for (const [carrier, isLicensed] of licensed) {
        const { answer } = await saleCheck(carrier);
        if (answer !== (isLicensed ? 'yes' : 'no'))
          wrong.push(`${carrier.changing.npn} is ${answer} in the end, with a license: ${isLicensed}`);
      }
      return wrong;
    },
    answers,
  };
}
