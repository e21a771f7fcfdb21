import { deployedEnvironments } from '../environments.ts';
import {
  descriptions,
  exampleCallOf,
  fieldsOfCommand,
  type OperatorCommand,
  operatorCommands,
} from './descriptions.ts';
import type { Field } from './fields.ts';

/** Markdown without the marks that a terminal shows as they are. */
export const plain = (markdown: string): string =>
  markdown.replaceAll('`', '').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** A field in a line, and what it means in the next ones. */
export const fieldLine = ({ path, values, isRequired, meaning }: Field): string =>
  [
    `${path}${isRequired ? ' (required)' : ''}: ${plain(values)}`,
    ...(meaning === undefined ? [] : plain(meaning).split(/\n+/)),
  ].join('\n    ');

/** The first sentence of a command's description. */
const summaryOf = (name: OperatorCommand): string => {
  const [sentence = ''] = descriptions[name].text.split(/[.;] /);
  return `${plain(sentence)}.`;
};

const usage = `Usage: npm run --silent admin -- <command> '<json>' [--environment <name>]

Runs an operator command against the local run or, with --environment, in AWS (${deployedEnvironments.join(', ')}),
with the AWS credentials of the shell. Prints one JSON object, and exits with 1 if the command is rejected.`;

/** What `admin --help` prints: every command with an example. */
export const helpText = (): string =>
  [
    usage,
    'Commands:',
    ...operatorCommands.map((name) => `${name}: ${summaryOf(name)}\n  ${exampleCallOf(name)}`),
    `For the fields of a command: npm run --silent admin -- <command> --help
For the types of records that can be imported: npm run --silent admin -- import --describe
For procedures: infra/runbook.md, such as "A receiver did not get its event" and "Who did what"`,
  ].join('\n\n');

/** What `admin <command> --help` prints: the command, its fields, and its example. */
export const commandHelp = (name: OperatorCommand): string =>
  [
    `${name}: ${plain(descriptions[name].text)}`,
    fieldsOfCommand(name).map(fieldLine).join('\n'),
    exampleCallOf(name),
  ].join('\n\n');
