import { concurrently } from '../data/concurrently.ts';

/** What a job counts; `failed` are those of its items that could not be processed. */
type Totals<Count extends string> = Readonly<Record<Count | 'failed', number>>;

/** Some items of a job were not processed; the queue delivers the job again. */
export class JobUnfinished extends Error {
  override readonly name = 'JobUnfinished';
}

/** @throws JobUnfinished when some of a job's items failed. */
export function checkFinished({ failed }: Totals<never>): void {
  if (failed > 0) throw new JobUnfinished(`${failed} items of a job were not processed.`);
}

interface JobRun<Job, Count extends string> {
  /** Jobs done at once. */
  readonly concurrency: number;
  /** The counts before the first job. */
  readonly zero: Totals<Count>;
  /** Does a job; returns its counts. */
  readonly work: (job: Job) => Promise<Totals<Count>>;
  /** Reports a job that failed as a whole; returns its counts. The other jobs are done. */
  readonly onFailure: (job: Job, error: unknown) => Totals<Count>;
  /** Called after each page with those of its jobs that are done. */
  readonly onPage?: (page: readonly Job[], finished: readonly Job[]) => Promise<void>;
}

/** Does jobs without the queue, page by page, and returns their totals. What failed is left to the next run. */
export async function runJobs<Job, Count extends string>(
  pages: AsyncIterable<readonly Job[]>,
  { concurrency, zero, work, onFailure, onPage }: JobRun<Job, Count>,
): Promise<Totals<Count>> {
  const sums: Record<Count | 'failed', number> = { ...zero };
  const counts = Object.keys(zero) as (Count | 'failed')[];
  for await (const page of pages) {
    const finished: Job[] = [];
    await concurrently(page, concurrency, async (job) => {
      const totals = await work(job).catch((error: unknown) => onFailure(job, error));
      for (const count of counts) sums[count] += totals[count];
      if (totals.failed === 0) finished.push(job);
    });
    await onPage?.(page, finished);
  }
  return sums;
}
