import {
  GraphWidget,
  type IMetric,
  type IWidget,
  type MathExpression,
  type Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Release } from '../release/commit.ts';

/** Columns of a dashboard. */
const columns = 24;

/** Metrics by the names that the legend shows, or with names of their own. */
type Shown = Readonly<Record<string, Metric | MathExpression>> | readonly IMetric[];

const isNamed = (metrics: Shown): metrics is Exclude<Shown, readonly IMetric[]> => !Array.isArray(metrics);

/** Metrics with their names as labels. */
const labeled = (metrics: Shown): IMetric[] =>
  isNamed(metrics) ? Object.entries(metrics).map(([label, metric]) => metric.with({ label })) : [...metrics];

/**
 * @param title with the sections of the runbook that say what to do about it.
 * @param right on an axis of their own.
 */
export const graph = (title: string, left: Shown, right: Shown = []) => ({
  title,
  left: labeled(left),
  right: labeled(right),
  stacked: false,
});

/** A graph whose values add up to something. */
export const stacked = (title: string, left: Shown): ReturnType<typeof graph> => ({
  ...graph(title, left),
  stacked: true,
});

/** Graphs beside each other, all of the same width, with a mark where the release that is live was deployed. */
export const rowOf =
  (release: Release | undefined) =>
  (...graphs: readonly ReturnType<typeof graph>[]): IWidget[] =>
    graphs.map(
      (one) =>
        new GraphWidget({
          ...one,
          width: columns / graphs.length,
          height: 7,
          leftYAxis: { min: 0 },
          ...(release === undefined
            ? {}
            : { verticalAnnotations: [{ date: release.deployedAt, label: release.commit }] }),
        }),
    );

/** A heading over the whole width, with a sentence that says how to read the rows below it. */
export const heading = (title: string, text: string): IWidget[] => [
  new TextWidget({ markdown: `## ${title}\n\n${text}`, width: columns, height: 2 }),
];
