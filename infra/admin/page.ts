import { withSection } from '../text.ts';
import {
  descriptions,
  exampleCallOf,
  fieldsOfCommand,
  type OperatorCommand,
  operatorCommands,
} from './descriptions.ts';

function sectionOf(name: OperatorCommand): string {
  const rows = fieldsOfCommand(name).map(({ path, values, isRequired }) =>
    `| \`${path}\` | ${values} | ${isRequired ? 'yes' : ''} |`.replace('|  |', '| |'),
  );
  const table = ['| Field | Value | Required |', '|---|---|---|', ...rows];
  return [
    `### \`${name}\``,
    descriptions[name].text,
    `\`\`\`sh\n${exampleCallOf(name)}\n\`\`\``,
    table.join('\n'),
  ].join('\n\n');
}

/**
 * Writes the existing commands into the section "commands" of the operators' page.
 * @throws Error if the page has no such section.
 */
export const withCommands = (page: string): string =>
  withSection(page, 'commands', operatorCommands.map(sectionOf).join('\n\n'));
