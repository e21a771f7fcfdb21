import {
  GraphWidget,
  type IMetric,
  type IWidget,
  type MathExpression,
  type Metric,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Release } from '../deployment/release.ts';

/** Columns of a dashboard. */
const columns = 24;

/** Metrics by the names that the legend shows, or with names of their own. */
type Shown = Readonly<Record<string, Metric | MathExpression>> | readonly IMetric[];

interface Graph {
  readonly title: string;
  readonly left: IMetric[];
  /** On an axis of their own. */
  readonly right?: IMetric[];
  /** Whether the values add up to something. */
  readonly stacked: boolean;
}

const isNamed = (metrics: Shown): metrics is Exclude<Shown, readonly IMetric[]> => !Array.isArray(metrics);

/** Metrics with their names as labels. */
export const labeled = (metrics: Shown): IMetric[] =>
  isNamed(metrics) ? Object.entries(metrics).map(([label, metric]) => metric.with({ label })) : [...metrics];

/** @param title with the sections of the runbook that say what to do about it. */
export const graph = (title: string, metrics: Shown): Graph => ({
  title,
  left: labeled(metrics),
  stacked: false,
});

export const stacked = (one: Graph): Graph => ({ ...one, stacked: true });

/** Graphs beside each other, all of the same width, with a mark where the release that is live was deployed. */
export const rowOf =
  (release: Release | undefined) =>
  (...graphs: readonly Graph[]): IWidget[] =>
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
