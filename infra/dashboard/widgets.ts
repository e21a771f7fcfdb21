import { GraphWidget, type IMetric, type IWidget, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';

/** Columns of a dashboard. */
const columns = 24;

/** What a graph shows. */
export interface Graph {
  readonly title: string;
  /** Sections of the runbook that say what to do about it; in the title. */
  readonly runbook?: readonly string[];
  readonly metrics: readonly IMetric[];
  /** On an axis of their own, at the right. */
  readonly right?: readonly IMetric[];
  /** Whether the values add up to something. */
  readonly stacked?: boolean;
}

/** A heading over the whole width, with a sentence that says how to read the graphs below it. */
export const heading = (title: string, text: string): IWidget[] => [
  new TextWidget({ markdown: `## ${title}\n\n${text}`, width: columns, height: 2 }),
];

/** Graphs beside each other, all of the same width. */
export const row = (...graphs: readonly Graph[]): IWidget[] =>
  graphs.map(
    ({ title, runbook = [], metrics, right = [], stacked = false }) =>
      new GraphWidget({
        title: runbook.length === 0 ? title : `${title} (runbook: ${runbook.join(', ')})`,
        left: [...metrics],
        right: [...right],
        stacked,
        width: columns / graphs.length,
        height: 7,
        leftYAxis: { min: 0 },
      }),
  );
